import * as z from 'zod/mini'

/** Addresses of documents: at most 16, https or ipfs, visible ASCII, and nothing before the host that looks like one. */
export const links = z
  .array(
    z
      .string()
      .check(
        z.maxLength(2_048),
        z.regex(
          /^(?:https|ipfs):\/\/[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:[/?#][A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]*)?$/,
          'not a link: https:// or ipfs://, a host, a path',
        ),
      ),
  )
  .check(z.maxLength(16))
