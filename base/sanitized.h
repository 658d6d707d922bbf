// SPDX-License-Identifier: Apache-2.0
//
// SANITIZED: a sanitizer has memory of its own and reserves terabytes of addresses. gcc and clang
// say so in two ways.
#ifndef TF_BASE_SANITIZED_H
#define TF_BASE_SANITIZED_H

#ifdef __has_feature
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

#endif
