# SPDX-License-Identifier: Apache-2.0
#
# Fetches Debian packages of any suite into a private folder, without changing the machine: its own apt
# folders, the machine's mirror and keyring, nothing installed, no root rights.
# Sourced by setup.sh and drivers.sh, after they have set
#   DEPS   folder for all private files (absolute)
#   SELF   name at the start of each line they print
# Invariant: a folder gets its final name only when it is complete.

# apt and dpkg print messages in the user's language, and these scripts parse them.
export LC_ALL=C

say() { printf '%s: %s\n' "$SELF" "$*"; }
die() {
    printf '%s: %s\n' "$SELF" "$*" >&2
    exit 1
}

# run COMMAND...: writes its output to the log; returns its status.
run() {
    printf '+ %s\n' "$*" >>"$DEPS/setup.log"
    "$@" >>"$DEPS/setup.log" 2>&1 </dev/null
}

version_at_least() { dpkg --compare-versions "$1" ge "$2"; }

# pr_start: locks out other set-ups and starts a new log.
pr_start() {
    mkdir -p "$DEPS" 2>/dev/null && [ -w "$DEPS" ] || die "cannot write to $DEPS"
    [ -z "${TANGLEFUZZ_LOCKED-}" ] || return 0 # locked by the calling script
    if command -v flock >/dev/null; then
        exec 9>"$DEPS/.lock"
        flock 9
    fi
    PR_LOCKED=1 # locked by this script
    export TANGLEFUZZ_LOCKED=1
    : >"$DEPS/setup.log"
}

# pr_machine: sets PR_MIRROR and PR_SUITE to the Debian mirror and suite in the machine's
# sources; also PR_ARCH and PR_TRIPLE.
pr_machine() {
    [ -n "${PR_SUITE-}" ] && return
    command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null ||
        die "this is not a Debian system: install SPIRV-Tools, SPIRV-Headers, Vulkan-Headers and volk" \
            "yourself, then run cmake with -DSPIRV_TOOLS_ROOT=PREFIX"
    PR_ARCH=$(dpkg --print-architecture)
    case $PR_ARCH in
    amd64) PR_TRIPLE=x86_64-linux-gnu ;;
    arm64) PR_TRIPLE=aarch64-linux-gnu ;;
    *) PR_TRIPLE=$(${CC:-cc} -print-multiarch 2>/dev/null) || die "unknown architecture $PR_ARCH" ;;
    esac
    PR_SUITE=$(. /etc/os-release && printf %s "${VERSION_CODENAME-}")
    # Of several sources with the suite's name, prefer one that looks like Debian's.
    PR_MIRROR=$(apt-get indextargets --format '$(RELEASE)|$(COMPONENT)|$(REPO_URI)' \
        'Created-By: Packages' 2>/dev/null |
        awk -F'|' -v suite="$PR_SUITE" '
            $1 == suite && $2 == "main" {
                if (!first) first = $3
                if (!best && $3 ~ /debian/) best = $3
            }
            END { print best ? best : first }')
    [ -n "$PR_SUITE" ] && [ -n "$PR_MIRROR" ] ||
        die "apt's sources name no suite '${PR_SUITE:-of this machine}' with component main"
}

# pr_apt SUITE [SUITE...]: prepares a private apt for these suites, once per run; sets PR_APT to its
# configuration file. Of several processes that need the same one, one prepares it and the others wait.
pr_apt() {
    pr_machine
    local name=$* lock
    name=${name// /+}${PR_FOREIGN:+-$PR_ARCH}
    PR_APT=$DEPS/apt/$name/apt.conf
    mkdir -p "$DEPS/apt"
    exec {lock}>"$DEPS/apt/.lock-$name"
    if command -v flock >/dev/null; then flock "$lock"; fi
    [ -e "$DEPS/apt/$name/ready" ] || pr_new_apt "$DEPS/apt/$name" "$@"
    exec {lock}>&-
}

# pr_new_apt FOLDER SUITE...
pr_new_apt() {
    local dir=$1 key suite
    shift
    rm -rf "$dir"
    mkdir -p "$dir"/{lists/partial,cache/archives/partial,etc/parts}
    : >"$dir/empty"
    {
        apt-config dump | grep -E '^Acquire::[^ ]*[Pp]roxy' || true
        cat <<CONF
Dir::State "$dir";
Dir::State::lists "$dir/lists";
Dir::State::status "/var/lib/dpkg/status";
Dir::Cache "$dir/cache";
Dir::Etc "$dir/etc";
Dir::Etc::parts "parts";
Dir::Etc::main "none";
Dir::Etc::sourcelist "sources.list";
Dir::Etc::sourceparts "parts";
Dir::Etc::preferences "none";
Dir::Etc::preferencesparts "parts";
Dir::Etc::trustedparts "/etc/apt/trusted.gpg.d";
Dir::Etc::netrc "/etc/apt/auth.conf";
Dir::Etc::netrcparts "/etc/apt/auth.conf.d";
APT::Architecture "$PR_ARCH";
Acquire::Check-Valid-Until "false";
Acquire::Languages "none";
Acquire::Retries "3";
Acquire::GzipIndexes "true";
APT::Get::AllowUnauthenticated "false";
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Debug::NoLocking "true";
CONF
    } >"$PR_APT"
    for key in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp} ''; do
        [ -e "$key" ] && break
    done
    for suite; do
        echo "deb [arch=$PR_ARCH${key:+ signed-by=$key}] $PR_MIRROR $suite main"
    done >"$dir/etc/sources.list"
    # --error-on=any: without it a mirror that does not answer is only a warning.
    run env APT_CONFIG="$PR_APT" apt-get -q update --error-on=any ||
        die "apt could not read $* from $PR_MIRROR (details: $DEPS/setup.log)"
    : >"$dir/ready"
}

# pr_candidate PACKAGE: prints the version in the last pr_apt's suites; empty: none.
pr_candidate() {
    APT_CONFIG=$PR_APT apt-cache policy "$1" 2>/dev/null |
        awk '$1 == "Candidate:" && $2 != "(none)" { print $2; exit }'
}

# pr_missing PACKAGE[/SUITE]...: prints NAME=VERSION for each package, these and their dependencies,
# that the machine lacks or has too old. If the machine's packages are inconsistent,
# assumes that it has none.
pr_missing() {
    local status list
    for status in /var/lib/dpkg/status "${PR_APT%/*}/empty"; do
        if list=$(APT_CONFIG=$PR_APT apt-get -s -q -o Dir::State::status="$status" install "$@" \
            2>>"$DEPS/setup.log" </dev/null); then
            sed -nE 's/^Inst ([^ ]+) (\[[^]]*\] )?\(([^ ]+) .*/\1=\3/p' <<<"$list"
            return
        fi
    done
    return 1
}

# pr_closure PACKAGE[/SUITE]...: prints NAME=VERSION for each package, these and their dependencies, as
# if the machine had none.
pr_closure() {
    APT_CONFIG=$PR_APT apt-get -s -q -o Dir::State::status="${PR_APT%/*}/empty" install "$@" \
        2>>"$DEPS/setup.log" </dev/null | sed -nE 's/^Inst ([^ ]+) (\[[^]]*\] )?\(([^ ]+) .*/\1=\3/p'
}

# pr_version PACKAGE SUITE: prints the version in this suite of the last pr_apt; empty: none.
pr_version() {
    APT_CONFIG=$PR_APT apt-cache madison "$1" 2>/dev/null |
        awk -F' *[|] *' -v suite="$2/" 'index($3, suite) { print $2; exit }'
}

# pr_root NAME SUITES PACKAGE[/SUITE]...: unpacks the packages and their dependencies in DEPS/roots/NAME
# (once; an interrupted unpacking is resumed). If the suite's
# libc is newer than the machine's, fetches it too, and DEPS/roots/NAME/prefix contains the command
# that runs a program of either libc with the root's libraries; else `prefix` is empty, and programs
# of the machine load the root's libraries (LD_LIBRARY_PATH). With PR_FOREIGN set, PR_ARCH is another
# architecture than the machine's, and the caller writes `prefix`.
pr_root() {
    local name=$1 suites=$2 root=$DEPS/roots/$1 new=$DEPS/roots/.new-$1 list libc have loader
    shift 2
    if [ ! -e "$root/complete" ]; then
        # shellcheck disable=SC2086
        pr_apt $suites
        list=$(pr_closure "$@")
        [ -n "$list" ] || die "apt cannot resolve the dependencies of $* in $suites (details: $DEPS/setup.log)"
        libc=$(sed -n 's/^libc6=//p' <<<"$list")
        have=
        [ -n "${PR_FOREIGN-}" ] || have=$(dpkg-query -W -f '${Version}' libc6 2>/dev/null || true)
        if [ -z "$libc" ] || { [ -n "$have" ] && version_at_least "$have" "$libc"; }; then
            list=$(grep -vE '^(libc6|libc-bin|libstdc\+\+6|libgcc-s1|gcc-[0-9]+-base)=' <<<"$list")
            libc=
        fi
        say "fetching $(wc -l <<<"$list") packages of $suites for ${*%%/*} into ${root#"$PWD"/}"
        rm -rf "$new"
        PR_BOX=$DEPS/roots/.debs-$name
        # shellcheck disable=SC2086
        pr_unpack "$new" $list
        unset PR_BOX
        : >"$new/prefix"
        [ -z "$libc" ] || : >"$new/own-libc"
        sed -n '/^mesa-vulkan-drivers=\|^spirv-tools=\|^glslang-tools=\|^spirv-cross=\|^libigc2=\|^pocl-opencl-icd=/p' <<<"$list" \
            >"$new/versions"
        : >"$new/complete"
        rm -rf "$root"
        mv "$new" "$root"
    fi
    # Written every time: the tree may have moved.
    : >"$root/prefix"
    [ -e "$root/own-libc" ] && [ -z "${PR_FOREIGN-}" ] || return 0
    for loader in "$root"/usr/lib/"$PR_TRIPLE"/ld-linux*.so.*; do
        printf '%s\n' "$loader" --library-path "$root/usr/lib/$PR_TRIPLE" >"$root/prefix"
        return 0
    done
    die "$root has no dynamic loader: remove it and try again"
}

# pr_unpack FOLDER PACKAGE[=VERSION]...: downloads exactly these and unpacks them into the folder.
# With PR_BOX set, downloads are kept there until everything is unpacked, and are not fetched again.
pr_unpack() {
    local into=$1 box deb
    shift
    box=${PR_BOX-$DEPS/apt/debs-$BASHPID}
    [ -n "${PR_BOX-}" ] || rm -rf "$box"
    mkdir -p "$box" "$into"
    # Packages from before the merge of / and /usr go to the same place.
    for deb in bin lib lib64 sbin; do
        [ -z "${PR_BOX-}" ] || mkdir -p "$into/usr/$deb"
        [ -z "${PR_BOX-}" ] || ln -sfn "usr/$deb" "$into/$deb"
    done
    (cd "$box" && run env APT_CONFIG="$PR_APT" apt-get -q download "$@") ||
        die "apt could not download $* (details: $DEPS/setup.log)"
    for deb in "$box"/*.deb; do
        dpkg-deb --fsys-tarfile "$deb" | tar -x --keep-directory-symlink -C "$into" ||
            die "could not unpack ${deb##*/} into $into"
    done
    rm -rf "$box"
}

# pr_end: removes the private apt's lists and releases the lock. In a script called by another one it does
# nothing: the caller's other scripts may still be running.
pr_end() {
    if [ -n "${PR_LOCKED-}" ]; then
        rm -rf "$DEPS/apt"
        exec 9>&-
        unset TANGLEFUZZ_LOCKED PR_LOCKED
    fi
}
