/** Events that a step should have: enough to be worth a transaction, few enough to hold many times over in memory. */
const goodStep = 4_000

/** Blocks of the first step, when nothing is known of the chain yet. */
export const firstSpan = 32

/** How many blocks to ask for after a step of `span`: what should bring a good number of events, at most twice as many. */
export function nextSpan(span: number, step: { blocks: number; events: number }, maxBlocks: number): number {
  const fitting = Math.floor((goodStep * step.blocks) / Math.max(1, step.events))
  return Math.max(1, Math.min(fitting, 2 * span, maxBlocks))
}
