import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { type Expected, ObjectError } from './objectStore.ts'

/**
 * Creates a stream that passes bytes on and fails unless they are the expected ones. It holds the last chunk back until the hash
 * is right, so a reader that counts on the size never sees the end of wrong bytes. Without a hash, it checks the size only.
 */
export function checkBytes({ sha256, size }: { sha256: Expected['sha256'] | null; size: number }): Transform {
  const hash = sha256 === null ? null : createHash('sha256')
  let seen = 0
  let held: Buffer | null = null
  return new Transform({
    transform(chunk: Buffer, _, done) {
      seen += chunk.length
      if (seen > size) {
        done(new ObjectError('WRONG_BYTES', `More than ${size} bytes arrived.`))
        return
      }
      hash?.update(chunk)
      const ready = held
      held = chunk
      done(null, ready)
    },
    flush(done) {
      if (seen !== size) done(new ObjectError('INCOMPLETE', `Only ${seen} of ${size} bytes arrived.`))
      else if (hash && hash.digest('hex') !== sha256)
        done(new ObjectError('WRONG_BYTES', `The bytes do not have the hash ${sha256}.`))
      else done(null, held)
    },
  })
}
