// SPDX-License-Identifier: Apache-2.0
//
// Runs SPIRV-Tools' optimizer. Input: words and spirv-opt flags. Output: new words, or an error
// message. The optimizer is under test and may crash, so callers run it in a process that may die.
#include "spirv.h"

// SPIRV-Tools uses two names that spirv.h also defines; see tools.c.
#define SPV_ENV_VULKAN_1_1    LIBSPIRV_ENV_VULKAN_1_1
#define SPV_ENV_VULKAN_1_2    LIBSPIRV_ENV_VULKAN_1_2
#define SPV_ENV_VULKAN_1_3    LIBSPIRV_ENV_VULKAN_1_3
#define SPV_ENV_UNIVERSAL_1_6 LIBSPIRV_ENV_UNIVERSAL_1_6
#define kDefaultMaxIdBound    optimize_default_max_id_bound
#include <spirv-tools/libspirv.h>
#undef SPV_ENV_VULKAN_1_1
#undef SPV_ENV_VULKAN_1_2
#undef SPV_ENV_VULKAN_1_3
#undef SPV_ENV_UNIVERSAL_1_6
#undef kDefaultMaxIdBound

#include <string.h>

// The optimizer's message callback has no user data, so the message is kept here.
static _Thread_local char message[800];

static void keep_message(spv_message_level_t level, const char *source,
                         const spv_position_t *position, const char *text)
{
    (void)source, (void)position;
    if (level <= SPV_MSG_ERROR && !message[0])
        snprintf(message, sizeof message, "%s", text);
}

bool spv_optimizer_knows(const char *flag)
{
    spv_optimizer_t *o = spvOptimizerCreate(SPV_ENV_VULKAN_1_4);
    spvOptimizerSetMessageConsumer(o, keep_message);
    message[0] = 0;
    bool ok = spvOptimizerRegisterPassFromFlag(o, flag);
    spvOptimizerDestroy(o);
    return ok;
}

bool spv_optimize(struct arena *a, const char *const *flags, size_t flag_count,
                  const uint32_t *words, size_t count, const uint32_t **out, size_t *out_count,
                  struct err *e)
{
    spv_optimizer_t *o = spvOptimizerCreate(SPV_ENV_VULKAN_1_4);
    spv_optimizer_options options = spvOptimizerOptionsCreate();
    spv_binary binary = NULL;
    bool ok = true;
    message[0] = 0;
    spvOptimizerSetMessageConsumer(o, keep_message);
    // The caller has validated the input, and the output is judged later.
    spvOptimizerOptionsSetRunValidator(options, false);
    for (size_t k = 0; k < flag_count && ok; k++)
        ok = spvOptimizerRegisterPassFromFlag(o, flags[k]) ||
             err_set(e, "spirv-opt does not know the pass '%s'", flags[k]);
    if (ok && spvOptimizerRun(o, words, count, &binary, options) != SPV_SUCCESS)
        ok = err_set(e, "spirv-opt: %s", message[0] ? message : "failed without a message");
    if (ok) {
        *out = arena_copy(a, binary->code, binary->wordCount * sizeof(uint32_t));
        *out_count = binary->wordCount;
    }
    spvBinaryDestroy(binary);
    spvOptimizerOptionsDestroy(options);
    spvOptimizerDestroy(o);
    return ok;
}
