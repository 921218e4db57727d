import { cardText as text } from '../../../text/card.ts'
import type { CardAct, CardClock, CardFacts, CardRow, CardState } from './types.ts'

/** What the rows of the table are written with. */
export function createRowTools({ steps, now, at, span }: CardFacts, common: Partial<CardRow>) {
  const write = (
    isMine: boolean,
    state: CardState,
    sentence: string,
    clock: CardClock | null,
    button: CardAct | null,
    more: Partial<CardRow>,
  ): CardRow => ({ ...common, state, isMine, sentence, clock, button, ...more })
  const find = (action: string) => steps.find((each) => each.action === action)
  return {
    find,
    /** A step as a button; null if the wallet cannot take it now. */
    act: (action: string, label: string): CardAct | null => {
      const step = find(action)
      return step ? { do: 'step', label, step } : null
    },
    /** How long it is until a moment. */
    left: (
      to: number | null | undefined,
      title: (span: string) => string,
      note?: (at: string) => string,
    ): CardClock | null => (to == null || now > to ? null : { title: title(span(to - now)), note: note?.(at(to)), to }),
    /** The moment itself. */
    until: (to: number | null, title: (at: string) => string, note?: string): CardClock | null =>
      to === null || now > to ? null : { title: title(at(to)), note, to },
    /** A row in which the wallet waits for somebody else. */
    wait: (state: CardState, sentence: string, clock: CardClock | null = null, more: Partial<CardRow> = {}): CardRow =>
      write(false, state, sentence, clock, null, more),
    /** A row in which it is the wallet's turn. */
    turn: (
      state: CardState,
      sentence: string,
      clock: CardClock | null,
      button: CardAct | null,
      more: Partial<CardRow> = {},
    ): CardRow => write(true, state, sentence, clock, button, more),
  }
}

export const listActs = (...acts: (CardAct | null)[]): CardAct[] => acts.filter((each) => each !== null)

/** Opens the conversation with somebody. */
export const message = (name: string): CardAct => ({ do: 'open', label: text.buttons.message(name), tab: 'talk' })
