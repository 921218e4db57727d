import { limits } from '@svc/protocol'
import {
  chainVariables,
  domainNames,
  type Environment,
  httpUrl,
  integer,
  listUrlSecrets,
  parseEnv,
  port,
  postgresUrl,
  replicaVariables,
} from '@svc/serve'
import { z } from 'zod'
import { contactKeys } from './channels/contacts.ts'
import { emailAddress } from './channels/email.ts'
import type { OutgoingOptions } from './channels/outgoing.ts'

const schema = z.object({
  ...chainVariables,
  ...replicaVariables,
  /** The database with the index and the notifier's records. */
  SVC_DATABASE_URL: postgresUrl,
  /** Public URL of the web site: links in notifications lead there. */
  SVC_SITE_URL: httpUrl.transform((text) => text.replace(/\/+$/, '')).optional(),
  /** Domains whose sign-in messages count, separated by commas: those of the web site. */
  SVC_NOTIFY_DOMAINS: domainNames,
  /** Keys that encrypt contact data: `<id>:<32 bytes as base64>`, separated by commas, the newest first. Without one there is only the inbox. */
  SVC_NOTIFY_KEY: contactKeys.optional(),
  /** The SMTP server, with the user and password in the URL. Without it there is no e-mail. */
  SVC_NOTIFY_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/\S+$/, 'not an smtp:// or smtps:// URL')
    .optional(),
  /** The sender of e-mails. */
  SVC_NOTIFY_FROM: emailAddress.optional(),
  /** The private VAPID key of push messages, 32 bytes as base64url. Without it there is no push. */
  SVC_NOTIFY_VAPID_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'not 32 bytes as base64url')
    .optional(),
  /** Who sends push messages, for the operators of push services: a `mailto:` or https URL. */
  SVC_NOTIFY_VAPID_SUBJECT: z
    .string()
    .regex(/^(?:mailto:|https:\/\/)\S+$/, 'not a mailto: or https URL')
    .optional(),
  /** Origins that webhooks may have although they are not public https, separated by commas. For tests and own machines. */
  SVC_NOTIFY_ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((list) => list.split(',').filter((each) => each !== ''))
    .pipe(z.array(httpUrl).max(100)),
  SVC_NOTIFY_PORT: port.default(limits.ports.notifier),
  /** How often the index is read, at least; it also says when it has new blocks. */
  SVC_NOTIFY_POLL_MS: integer(10, 60_000).default(2_000),
})

export type Env = z.infer<typeof schema>

/** Names of the variables that this app reads. */
export const variables = Object.keys(schema.shape)

/** Parses the environment. Throws one error that lists all invalid variables. */
export const readNotifierEnv = (environment: Environment): Env => parseEnv(schema, environment, listMissing)

/** What a variable needs besides itself. */
const needs: Readonly<Record<string, readonly string[]>> = {
  SVC_NOTIFY_KEY: ['SVC_SITE_URL'],
  SVC_NOTIFY_SMTP_URL: ['SVC_NOTIFY_KEY', 'SVC_NOTIFY_FROM'],
  SVC_NOTIFY_VAPID_KEY: ['SVC_NOTIFY_KEY', 'SVC_NOTIFY_VAPID_SUBJECT'],
}

const listMissing = (set: Environment): string[] =>
  Object.entries(needs).flatMap(([name, others]) =>
    set[name] ? others.filter((other) => !set[other]).map((other) => `${other}: needed with ${name}`) : [],
  )

/** Returns the options of the channels; null if there is only the inbox. `banner` is what e-mails say of their chain. */
export function readOutgoingOptions(env: Env, banner: string | null): OutgoingOptions | null {
  const { SVC_NOTIFY_KEY: keys, SVC_SITE_URL: siteUrl } = env
  if (!keys || !siteUrl) return null
  return {
    keys,
    siteUrl,
    allowedOrigins: env.SVC_NOTIFY_ALLOWED_ORIGINS,
    ...(env.SVC_NOTIFY_SMTP_URL &&
      env.SVC_NOTIFY_FROM && { email: { smtpUrl: env.SVC_NOTIFY_SMTP_URL, from: env.SVC_NOTIFY_FROM, banner } }),
    ...(env.SVC_NOTIFY_VAPID_KEY &&
      env.SVC_NOTIFY_VAPID_SUBJECT && {
        push: { privateKey: env.SVC_NOTIFY_VAPID_KEY, subject: env.SVC_NOTIFY_VAPID_SUBJECT },
      }),
  }
}

/** Secrets that must not appear in any log: URLs that may contain one. */
export function listNotifierSecrets(env: Env): string[] {
  return [
    ...listUrlSecrets(env),
    ...(env.SVC_NOTIFY_KEY ?? []).map(({ key }) => key.toString('base64')),
    env.SVC_NOTIFY_SMTP_URL ?? '',
    decodeURIComponent(new URL(env.SVC_NOTIFY_SMTP_URL ?? 'smtp://none').password),
    env.SVC_NOTIFY_VAPID_KEY ?? '',
  ]
}
