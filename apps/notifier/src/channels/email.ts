import { createHash } from 'node:crypto'
import { sanitizeText } from '@svc/protocol'
import { createTransport } from 'nodemailer'
import { z } from 'zod'
import type { Channel, OutgoingMessage, SendResult } from './channel.ts'

/** One address: no list, no display name, no comment. Mail libraries parse all of these, so nothing else may reach them. */
export const emailAddress = z
  .string()
  .max(254)
  .regex(/^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/, 'not an e-mail address')

interface EmailTarget {
  address: string
  /** Ends the e-mails with one request, without a session. */
  unsubscribeUrl: string
  /** Where its owner chooses what is sent. */
  settingsUrl: string
}

export interface EmailOptions {
  /** `smtp://` or `smtps://`, with the user and password if the server wants them. */
  smtpUrl: string
  /** The sender's address. */
  from: string
  /** What every e-mail says of a chain whose tokens have no value. */
  banner?: string | null
  maxConnections?: number
}

export interface EmailChannel extends Channel<EmailTarget> {
  /** Asks the owner of an address whether they want e-mails. */
  sendVerification: (
    address: string,
    link: { id: string; url: string; refuseUrl: string; wallet: string },
  ) => Promise<SendResult>
  close: () => void
}

const senderName = 'Task Market'
const maxSubject = 150
const maxText = 4_000

/** Sends e-mails over SMTP. */
export function createEmailChannel({ smtpUrl, from, banner, maxConnections = 4 }: EmailOptions): EmailChannel {
  const { username, password, hostname, port, protocol } = new URL(smtpUrl)
  const isSecure = protocol === 'smtps:'
  const transport = createTransport({
    pool: true,
    host: hostname,
    port: Number(port) || (isSecure ? 465 : 587),
    secure: isSecure,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    maxConnections,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  })
  const domain = from.slice(from.lastIndexOf('@') + 1)
  const notices = banner ? [banner] : []

  async function deliver(address: string, mail: Mail, headers: Record<string, string>): Promise<SendResult> {
    if (!emailAddress.safeParse(address).success) return { result: 'gone', reason: 'The address is not valid.' }
    try {
      await transport.sendMail({
        // As an object: an address is never parsed as a list of several.
        from: { name: senderName, address: from },
        to: { name: '', address },
        envelope: { from, to: [address] },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageId: `<${createHash('sha256').update(mail.id).digest('hex').slice(0, 40)}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', ...headers },
      })
      return { result: 'sent' }
    } catch (error) {
      return describeSmtpError(error)
    }
  }

  return {
    name: 'email',
    async send(target, message, signal) {
      const { promise: stopped, resolve } = Promise.withResolvers<SendResult>()
      const stop = () => resolve({ result: 'retry', reason: 'The SMTP server did not answer in time.' })
      signal.addEventListener('abort', stop, { once: true })
      try {
        if (signal.aborted) stop()
        return await Promise.race([
          stopped,
          deliver(target.address, writeMail(message, target, notices), listUnsubscribe(target.unsubscribeUrl)),
        ])
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
    sendVerification: (address, { id, url, refuseUrl, wallet }) =>
      deliver(
        address,
        {
          id,
          ...renderMail({
            subject: 'Confirm your e-mail address',
            paragraphs: [
              `The wallet ${wallet} wants to get notifications of the Task Market at this address.`,
              'If this is you, open the link. If not, say so with the second link: then nobody can ask at this address again.',
              ...notices,
            ],
            button: { label: 'Confirm this address', url },
            footer: [{ label: 'This was not me', url: refuseUrl }],
          }),
        },
        listUnsubscribe(refuseUrl),
      ),
    close: () => transport.close(),
  }
}

/** Lets mail programs end the e-mails with one request (RFC 8058). */
const listUnsubscribe = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

interface Mail {
  id: string
  subject: string
  text: string
  html: string
}

/** Writes the e-mail of a message. */
function writeMail(
  { id, title, text, url, taskId }: OutgoingMessage,
  { unsubscribeUrl, settingsUrl }: Omit<EmailTarget, 'address'>,
  notices: readonly string[],
): Mail {
  return {
    id,
    ...renderMail({
      subject: title,
      paragraphs: [text, ...(taskId ? [`Task ${taskId}`] : []), ...notices],
      button: { label: taskId ? 'Open the task' : 'Open', url },
      footer: [
        { label: 'Choose what you get', url: settingsUrl },
        { label: 'Stop these e-mails', url: unsubscribeUrl },
      ],
    }),
  }
}

interface MailContent {
  subject: string
  paragraphs: readonly string[]
  button: { label: string; url: string }
  footer: readonly { label: string; url: string }[]
}

/** Texts of strangers are in subject and paragraphs: one line, no control characters, and escaped in HTML. */
function renderMail({ subject, paragraphs, button, footer }: MailContent): Omit<Mail, 'id'> {
  const lines = paragraphs.map((each) => sanitizeText(each.slice(0, maxText).toWellFormed(), { strict: true }))
  const link = ({ label, url }: { label: string; url: string }) =>
    `<a href="${escapeHtml(checkLink(url))}">${escapeHtml(label)}</a>`
  return {
    subject: toOneLine(subject).slice(0, maxSubject).toWellFormed(),
    text: [
      ...lines,
      `${button.label}: ${checkLink(button.url)}`,
      ...(footer.length > 0
        ? [['-- ', ...footer.map(({ label, url }) => `${label}: ${checkLink(url)}`)].join('\n')]
        : []),
    ].join('\n\n'),
    html: [
      '<!doctype html><html><body style="font-family:sans-serif;line-height:1.5;max-width:36em">',
      ...lines.map((line) => `<p>${escapeHtml(line).replaceAll('\n', '<br>')}</p>`),
      `<p><strong>${link(button)}</strong></p>`,
      ...(footer.length > 0 ? [`<p style="font-size:small">${footer.map(link).join(' · ')}</p>`] : []),
      '</body></html>',
    ].join('\n'),
  }
}

/** A header is one line: a line break would start the next header. */
const toOneLine = (text: string) => sanitizeText(text, { strict: true }).replace(/\s+/g, ' ').trim()

const htmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => htmlEscapes[character] ?? '')

/** Links are built by this service; anything but http and https would be a bug. */
function checkLink(text: string): string {
  const { protocol, href } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('A link of an e-mail is not http or https.')
  return href
}

/**
 * A server that refuses the recipient or the message for good (5xx) ends the channel. Refusing us, such as a wrong password, does
 * not: the operator repairs that. The server's text is dropped, since it often contains the address.
 */
function describeSmtpError(error: unknown): SendResult {
  const { responseCode, command, code } = error as { responseCode?: number; command?: string; code?: string }
  if (responseCode && responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')) {
    return { result: 'gone', reason: `The mail server refused the recipient (${responseCode}).` }
  }
  return {
    result: 'retry',
    reason: `The mail server did not take the message (${responseCode ?? code ?? 'no answer'}).`,
  }
}
