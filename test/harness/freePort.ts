import { openPort } from '../../scripts/dev/openPort.ts'

/** A port that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const port = await openPort(0)
  if (port === null) throw new Error('no free port')
  return port
}
