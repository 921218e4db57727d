/** A deadline of a wallet. */
export interface CalendarEntry {
  /** The same for the same deadline, whenever the calendar is read. */
  id: string
  /** Unix seconds. */
  at: number
  title: string
  url: string
}

/** Formats deadlines as a calendar (RFC 5545), each with an alarm an hour before. */
export function formatCalendar(entries: readonly CalendarEntry[], now: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Task Market//Notifier//EN',
    'X-WR-CALNAME:Task Market',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...entries.flatMap(({ id, at, title, url }) => [
      'BEGIN:VEVENT',
      `UID:${escapeText(id)}`,
      `DTSTAMP:${formatUtc(now)}`,
      `DTSTART:${formatUtc(at)}`,
      `SUMMARY:${escapeText(title)}`,
      ...(url ? [`URL:${url.replaceAll(/\s/g, '')}`] : []),
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      `DESCRIPTION:${escapeText(title)}`,
      'TRIGGER:-PT1H',
      'END:VALARM',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

const formatUtc = (seconds: number) => new Date(seconds * 1_000).toISOString().replaceAll(/[-:]|\.\d+/g, '')

const escapeText = (text: string) =>
  text
    .replaceAll(/[\\;,]/g, (each) => `\\${each}`)
    .replaceAll(/\r?\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, ' ')

/** Lines have at most 75 bytes; a longer one goes on after a line break and a space. */
function fold(line: string): string {
  const parts: string[] = []
  let part = ''
  for (const each of line) {
    if (Buffer.byteLength(part + each) > 74) {
      parts.push(part)
      part = ''
    }
    part += each
  }
  return [...parts, part].join('\r\n ')
}
