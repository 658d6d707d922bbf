// SPDX-License-Identifier: Apache-2.0
//
// What offload-test-suite takes from LLVM's headers and LLVM 19 has not yet, for scripts/consumers.sh: sequences of
// YAML in a std::array, llvm::scope_exit, and errors formatted from arrays of characters.
#include <llvm/ADT/ScopeExit.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/YAMLTraits.h>

#include <array>

namespace llvm {
namespace yaml {
template <> struct SequenceTraits<std::array<unsigned, 3>> {
    static size_t size(IO &, std::array<unsigned, 3> &) { return 3; }
    static unsigned &element(IO &io, std::array<unsigned, 3> &a, size_t i)
    {
        static unsigned beyond;
        if (i < 3)
            return a[i];
        io.setError("more than 3 numbers");
        return beyond;
    }
    static const bool flow = true;
};
} // namespace yaml

template <class F> class scope_exit {
    F at_end;
    bool on = true;

  public:
    explicit scope_exit(F f) : at_end(f) {}
    scope_exit(const scope_exit &) = delete;
    ~scope_exit()
    {
        if (on)
            at_end();
    }
    void release() { on = false; }
};
template <class F> scope_exit(F) -> scope_exit<F>;

inline Error error_of(const Twine &text) { return createStringError(text); }
inline Error error_of(const char *text) { return createStringError(Twine(text)); }
template <class T, class... More> Error error_of(const char *format, T v, More... more)
{
    return createStringError(format, v, more...);
}
inline Error error_of(std::error_code code, const Twine &text) { return createStringError(code, text); }
inline Error error_of(std::errc code, const Twine &text)
{
    return createStringError(std::make_error_code(code), text);
}
template <class... More> Error error_of(std::error_code code, const char *format, More... more)
{
    return createStringError(code, format, more...);
}
template <class... More> Error error_of(std::errc code, const char *format, More... more)
{
    return createStringError(std::make_error_code(code), format, more...);
}
} // namespace llvm
#define createStringError error_of
