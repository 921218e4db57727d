import * as z from 'zod/mini'
import { canonicalizeJson } from '../base/canonicalJson.ts'
import { explainIssue, formatIssue } from '../base/explainIssue.ts'
import { SvcError } from '../base/svcError.ts'

/** Every limit of a profile. Lengths are in characters, times in seconds. */
export const profileLimits = {
  displayName: 60,
  about: 2_000,
  skills: 20,
  languages: 10,
  links: 8,
  linkLength: 300,
  linkLabel: 40,
  contact: 120,
  offerings: 10,
  offeringTitle: 120,
  /** One year. */
  turnaroundHours: 8_760,
  /** A JSON Schema of an offering, as canonical JSON. */
  schemaBytes: 4_096,
  /** The whole profile, as canonical JSON in UTF-8. */
  profileBytes: 32_768,
  /** The tolerated clock difference between signer and reader. */
  clockSkew: 300,
} as const

/** What can be wrong with a profile. Programs branch on these codes. */
export type ProfileErrorCode = 'INVALID_PROFILE' | 'INVALID_PROFILE_STATEMENT'

/** Thrown for a profile that fails a check. Nothing of it may be shown. */
export class ProfileError extends SvcError<ProfileErrorCode> {
  override name = 'ProfileError'
}

// Control characters, and those that reverse or hide text: a name must look like what it is. The two joiners are allowed,
// because Persian, Hindi and emoji need them.
const hidden = /[\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|[^\P{Cf}\u200c\u200d]/u
const hasHidden = (text: string) => hidden.test(text)
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

const line = (max: number) =>
  z.string().check(
    z.minLength(1),
    z.maxLength(max),
    z.refine((text) => text === text.trim(), 'must not begin or end with spaces'),
    z.refine((text) => !hasHidden(text), 'must not contain control or invisible characters'),
    z.refine((text) => visible.test(text), 'must contain a visible character'),
  )

const httpsUrl = z
  .string()
  .check(
    z.maxLength(profileLimits.linkLength),
    z.refine(isPublicHttpsUrl, 'must be an https URL without a user name, a password or spaces'),
  )

/** Accepts exactly what browsers would open unchanged. */
function isPublicHttpsUrl(text: string): boolean {
  if (!/^https:\/\/[^\s\\]+$/.test(text) || hasHidden(text) || !URL.canParse(text)) return false
  const { protocol, username, password, hostname } = new URL(text)
  return protocol === 'https:' && username === '' && password === '' && hostname.includes('.')
}

const unique = <T>(key: (each: T) => string) =>
  z.refine<T[]>((list) => new Set(list.map(key)).size === list.length, 'must not contain the same value twice')

const jsonSchema = z
  .record(z.string(), z.unknown())
  .check(z.refine(isSmallJson, `must be JSON of at most ${profileLimits.schemaBytes} characters`))

function isSmallJson(value: unknown): boolean {
  try {
    return canonicalizeJson(value).length <= profileLimits.schemaBytes
  } catch {
    return false
  }
}

/** A skill as one tag: `translation`, `lang:pt`. */
export const skillTag = z
  .string()
  .check(
    z.maxLength(40),
    z.regex(/^[a-z0-9]+(?:[-.:+#][a-z0-9]+)*[+#]*$/, 'must be a tag in lower case, such as rust or lang:pt'),
  )

/** A language as a BCP 47 tag: `en`, `pt-BR`. */
export const languageTag = z
  .string()
  .check(
    z.maxLength(35),
    z.regex(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?$/, 'must be a language tag, such as en or pt-BR'),
  )

/** Something that a wallet offers to do. */
const offering = z.strictObject({
  title: line(profileLimits.offeringTitle).check(z.describe('What is offered.')),
  priceTokWei: z
    .string()
    .check(
      z.regex(/^(?:0|[1-9][0-9]{0,38})$/, 'must be an amount in TOK wei'),
      z.describe('Price, in TOK wei. Not binding: the terms of a task are.'),
    ),
  turnaroundHours: z
    .int()
    .check(z.minimum(1), z.maximum(profileLimits.turnaroundHours), z.describe('Usual time to deliver, in hours.')),
  inputSchema: z.optional(jsonSchema.check(z.describe('JSON Schema of what is needed, for agents.'))),
  outputSchema: z.optional(jsonSchema.check(z.describe('JSON Schema of what is delivered, for agents.'))),
})

/** A profile as it is signed and shown: every list is there. */
export const publishedProfile = z
  .strictObject({
    displayName: line(profileLimits.displayName).check(z.describe('Name that the wallet chose. Not unique.')),
    about: z.string().check(
      z.maxLength(profileLimits.about),
      z.refine((text) => !hasHidden(text.replaceAll('\n', ' ')), 'must not contain control or invisible characters'),
      z.describe('Plain text about the wallet.'),
    ),
    skills: z
      .array(skillTag)
      .check(z.maxLength(profileLimits.skills), unique<string>(String), z.describe('Skills, as tags in lower case.')),
    languages: z
      .array(languageTag)
      .check(z.maxLength(profileLimits.languages), unique<string>(String), z.describe('Languages, as BCP 47 tags.')),
    links: z
      .array(
        z.strictObject({
          label: line(profileLimits.linkLabel).check(z.describe('Text of the link.')),
          url: httpsUrl.check(z.describe('Address of the link; https only.')),
        }),
      )
      .check(
        z.maxLength(profileLimits.links),
        unique<{ url: string }>(({ url }) => url),
        z.describe('Links to other places.'),
      ),
    picture: z.optional(
      z
        .string()
        .check(
          z.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256: 64 hex digits in lower case'),
          z.describe('Picture of the wallet at the store, by the SHA-256 of its bytes.'),
        ),
    ),
    contact: z.optional(line(profileLimits.contact).check(z.describe('Public way to reach the wallet.'))),
    offerings: z.array(offering).check(
      z.maxLength(profileLimits.offerings),
      unique<{ title: string }>(({ title }) => title),
      z.describe('What the wallet offers to do.'),
    ),
  })
  .check(z.describe('What the wallet says about itself. Untrusted.'))

const { shape } = publishedProfile

/** What a wallet says about itself. Strangers write it: show it as plain text only, and never as a fact. */
export const profile = z.strictObject({
  ...shape,
  about: z._default(shape.about, ''),
  skills: z._default(shape.skills, []),
  languages: z._default(shape.languages, []),
  links: z._default(shape.links, []),
  offerings: z._default(shape.offerings, []),
})

export type Profile = z.output<typeof profile>

/**
 * Checks a profile and returns it as canonical JSON, the text that is signed. Throws {@link ProfileError} for a profile that
 * breaks a limit.
 *
 * @example
 * ```ts
 * encodeProfile({ displayName: 'Ada', skills: ['translation'] })
 * ```
 */
export function encodeProfile(given: z.input<typeof profile>): string {
  const { success, data, error } = z.safeParse(profile, given, { error: explainIssue })
  if (!success) throw new ProfileError('INVALID_PROFILE', formatIssue(error.issues[0], ['profile']))
  const text = canonicalizeJson(data)
  const bytes = new TextEncoder().encode(text).length
  if (bytes <= profileLimits.profileBytes) return text
  const message = `The profile has ${bytes} bytes, but the limit is ${profileLimits.profileBytes}.`
  throw new ProfileError('INVALID_PROFILE', message)
}

/**
 * Parses the text of a profile. Accepts canonical JSON only, so that a profile has one form and one signature. Throws
 * {@link ProfileError}.
 *
 * @example
 * ```ts
 * const { displayName } = parseProfile(statement.profile)
 * ```
 */
export function parseProfile(text: string): Profile {
  // Checked first, so that nothing large is parsed.
  if (text.length > profileLimits.profileBytes) {
    const message = `The profile has more than ${profileLimits.profileBytes} characters.`
    throw new ProfileError('INVALID_PROFILE', message)
  }
  const given = parseJson(text)
  if (encodeProfile(given as z.input<typeof profile>) !== text)
    throw new ProfileError('INVALID_PROFILE', 'The profile is not canonical JSON (RFC 8785) with all its fields.')
  return z.parse(profile, given)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ProfileError('INVALID_PROFILE', 'The profile is not JSON.')
  }
}
