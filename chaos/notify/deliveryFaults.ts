import type { Sql } from 'postgres'

/** A message as a receiver got it. */
export interface Heard {
  id: string
  kind: string
  wallet: string
  market: string | null
  taskId: string | null
  title: string
  data: { readonly corrects?: unknown }
}

/**
 * Compares what receivers heard with the inbox: every message was sent or is reported as failed, a repeat has the same id and content,
 * the messages of a task came in order, and nobody believes what was taken back.
 */
export async function findDeliveryFaults(sql: Sql, heard: readonly Heard[]): Promise<string[]> {
  const rows = await sql<{ id: string; seq: string; kind: string; is_corrected: boolean; statuses: string[] }[]>`
    select n.id, n.seq, n.kind, n.is_corrected,
      to_jsonb(array(select status from notify.delivery d where d.notification = n.seq)) as statuses from notify.notification n`
  const byId = new Map(rows.map((row) => [row.id, row]))
  const faults: string[] = []
  const contents = new Map<string, string>()
  const lastWords = new Map<string, boolean>()
  const lastSeq = new Map<string, bigint>()
  for (const message of heard) {
    const { id, kind, wallet, market, taskId, title, data } = message
    const content = JSON.stringify(message)
    const earlier = contents.get(id)
    if (earlier !== undefined && earlier !== content) faults.push(`another content under the same id: ${id}`)
    // A receiver drops repeats.
    if (earlier !== undefined) continue
    contents.set(id, content)
    const lane = `${wallet} ${market} ${taskId}`
    const seq = BigInt(byId.get(id)?.seq ?? 0)
    if (seq === 0n) faults.push(`sent, but not in the inbox: ${title}`)
    if (seq < (lastSeq.get(lane) ?? 0n)) faults.push(`out of order: ${title}`)
    lastSeq.set(lane, seq)
    if (kind === 'corrected') lastWords.set(String(data.corrects), title.endsWith('holds again'))
    else lastWords.set(id, true)
  }
  for (const [id, holds] of lastWords) {
    const row = byId.get(id)
    if (row && row.kind !== 'corrected' && holds === row.is_corrected)
      faults.push(`the receiver believes the opposite: ${id}`)
  }
  for (const { id, kind, is_corrected, statuses } of rows) {
    if (kind !== 'corrected' && statuses.length === 0) faults.push(`no delivery: ${id}`)
    if (statuses.includes('pending')) faults.push(`neither sent nor reported as failed: ${id}`)
    if (!is_corrected && statuses.includes('cancelled')) faults.push(`cancelled, although it holds: ${id}`)
    if (statuses.includes('sent') && !contents.has(id)) faults.push(`recorded as sent, but nobody heard it: ${id}`)
  }
  return faults
}
