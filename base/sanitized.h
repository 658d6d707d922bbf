// SPDX-License-Identifier: Apache-2.0
//
// SANITIZED: 1 if a sanitizer is active. A sanitizer uses extra memory and reserves terabytes of
// address space. gcc and clang report it by different macros.
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
