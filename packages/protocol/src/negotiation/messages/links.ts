import * as z from 'zod/mini'

/** Links to documents: at most 16, https or ipfs, visible ASCII, no user info before the host. */
export const links = z
  .array(
    z
      .string()
      .check(
        z.maxLength(2_048),
        z.regex(
          /^(?:https|ipfs):\/\/[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:[/?#][A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]*)?$/,
          'not a valid link: expected https:// or ipfs://, a host and a path',
        ),
      ),
  )
  .check(z.maxLength(16))
