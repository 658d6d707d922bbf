// SPDX-License-Identifier: Apache-2.0
//
// naga as a compiler that keeps running (docs/protocol.md): the server of target `naga`, built by
// scripts/drivers.sh.
//
//   naga-server             SPIR-V or WGSL, by the file's ending, to SPIR-V
//   naga-server --wgsl      SPIR-V to WGSL, then to SPIR-V
//   naga-server --text      writes the WGSL to OUT instead of SPIR-V
//
// The writer's options are those of wgpu on a desktop's Vulkan driver: indices are clamped, buffers rely
// on robustBufferAccess2, loops are bounded.
use naga::back::spv;
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use std::io::{BufRead, Write};
use std::panic;
use std::sync::Mutex;

// A status of docs/protocol.md, and the reason.
type Answer<T> = Result<T, (u32, String)>;
const REFUSED: u32 = 1;
const NOT_OFFERED: u32 = 77;
const PANIC: u32 = 134; // like SIGABRT
const ENVIRONMENT: u32 = 125;

// An error and its causes.
fn chain(e: &dyn std::error::Error) -> String {
    let mut text = e.to_string();
    let mut at = e.source();
    while let Some(cause) = at {
        text += &format!(": {cause}");
        at = cause.source();
    }
    text
}

fn read_spirv(data: &[u8]) -> Answer<naga::Module> {
    let options = naga::front::spv::Options { adjust_coordinate_space: false, ..Default::default() };
    naga::front::spv::parse_u8_slice(data, &options).map_err(|e| {
        // naga declares these unsupported; it should have accepted anything else.
        let kind = format!("{e:?}");
        let offered = !kind.starts_with("Unsupported") && !kind.starts_with("Unknown");
        (if offered { REFUSED } else { NOT_OFFERED }, format!("reading SPIR-V: {}", chain(&e)))
    })
}

fn read_wgsl(text: &str) -> Answer<naga::Module> {
    // naga supports these features, but not yet the lines that enable them.
    let text = &text.replace("enable subgroups;", "").replace("requires subgroup_id;", "");
    naga::front::wgsl::parse_str(text)
        .map_err(|e| (REFUSED, format!("reading WGSL: {}", e.emit_to_string(text))))
}

fn validate(module: &naga::Module) -> Answer<ModuleInfo> {
    Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(module)
        .map_err(|e| {
            let why = chain(&e);
            // Combinations of group operation and type that WGSL lacks.
            match why.find("Subgroup operation is invalid") {
                Some(_) => (NOT_OFFERED, "a group operation in a form that WGSL does not have".into()),
                None => (REFUSED, format!("validation: {why}")),
            }
        })
}

fn write_wgsl(module: &naga::Module) -> Answer<String> {
    let info = validate(module)?;
    naga::back::wgsl::write_string(module, &info, naga::back::wgsl::WriterFlags::empty())
        .map_err(|e| {
            let offered = !matches!(e, naga::back::wgsl::Error::Unimplemented(_));
            (if offered { REFUSED } else { NOT_OFFERED }, format!("writing WGSL: {}", chain(&e)))
        })
}

fn write_spirv(module: &naga::Module) -> Answer<Vec<u8>> {
    let info = validate(module)?;
    let options = spv::Options {
        lang_version: (1, 3), // group operations need it
        flags: spv::WriterFlags::empty(),
        bounds_check_policies: BoundsCheckPolicies {
            index: BoundsCheckPolicy::Restrict,
            buffer: BoundsCheckPolicy::Unchecked,
            ..Default::default()
        },
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::Polyfill,
        ..Default::default()
    };
    let words = spv::write_vec(module, &info, &options, None)
        .map_err(|e| (REFUSED, format!("writing SPIR-V: {}", chain(&e))))?;
    Ok(words.iter().flat_map(|w| w.to_le_bytes()).collect())
}

fn compile(input: &str, output: &str, through_wgsl: bool, as_text: bool) -> Answer<()> {
    let environment = |e: std::io::Error| (ENVIRONMENT, e.to_string());
    let data = std::fs::read(input).map_err(environment)?;
    let mut module = if input.ends_with(".wgsl") {
        read_wgsl(&String::from_utf8_lossy(&data))?
    } else {
        read_spirv(&data)?
    };
    let made = if as_text {
        write_wgsl(&module)?.into_bytes()
    } else {
        if through_wgsl {
            module = read_wgsl(&write_wgsl(&module)?)?;
        }
        write_spirv(&module)?
    };
    std::fs::write(output, made).map_err(environment)
}

static PANICKED: Mutex<String> = Mutex::new(String::new());

fn main() {
    let has = |flag: &str| std::env::args().any(|a| a == flag);
    let (through_wgsl, as_text) = (has("--wgsl"), has("--text"));
    panic::set_hook(Box::new(|info| *PANICKED.lock().unwrap() = info.to_string()));
    let mut out = std::io::stdout();
    let mut say = |line: String| writeln!(out, "{line}").and_then(|()| out.flush()).is_ok();
    say(format!("ready\tnaga {}", env!("NAGA_VERSION")));
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap_or_default();
        let field: Vec<&str> = line.split('\t').collect();
        let [job, input, output] = field[..] else { std::process::exit(2) };
        let answer = panic::catch_unwind(|| compile(input, output, through_wgsl, as_text))
            .unwrap_or_else(|_| Err((PANIC, format!("panic: {}", PANICKED.lock().unwrap()))));
        let (status, why) = answer.err().unwrap_or((0, String::new()));
        // One line; the start of a long one matters most.
        let why: String = why.replace(['\t', '\n', '\r'], " ").chars().take(600).collect();
        if !say(format!("{job}\t{status}\t{why}")) {
            return;
        }
    }
}
