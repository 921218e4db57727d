import * as z from 'zod/mini'
import { briefLimits } from './briefLimits.ts'
import { findCollidingName, findFileNameProblem } from './fileName.ts'
import { byteCount, sha256Hex } from './wire.ts'

/** A safe name of a file. */
export const fileName = z.string().check((context) => {
  const problem = findFileNameProblem(context.value)
  if (problem)
    context.issues.push({ code: 'custom', message: `not a safe file name: ${problem}`, input: context.value })
})

/** A media type. It says what the author claims, not what the bytes are. */
export const mediaType = z
  .string()
  .check(z.maxLength(127), z.regex(/^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/, 'not a media type in lower case'))

/** Refuses files that could not lie in one folder. */
export const distinctNames = z.refine<readonly { name: string }[]>(
  (files) => findCollidingName(files.map(({ name }) => name)) === null,
  'two files have the same name on some systems',
)

/**
 * A file of a brief, as the published text names it. A file with a hash is for everyone. The hash of another one would let
 * strangers check a guess of its content, so it is left out.
 */
const briefFile = z.strictObject({
  name: fileName,
  type: mediaType,
  size: byteCount.check(z.maximum(briefLimits.bytes.worker.standard)),
  sha256: z.optional(sha256Hex),
})
export type BriefFile = z.output<typeof briefFile>

/** The files of a brief. */
export const briefFiles = z
  .array(briefFile)
  .check(z.minLength(1), z.maxLength(briefLimits.files), distinctNames, z.describe('Files of the brief.'))
