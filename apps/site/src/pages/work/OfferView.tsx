import { formatAmount, formatDuration, sanitizeText, type TermsDocument } from '@svc/protocol'
import { changeTerms } from '@svc/protocol/internal/terms'
import type { SignedMessage } from '@svc/protocol/negotiation'
import type { TalkNegotiation } from '@svc/work'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ActionForm } from '../../actions/ActionForm.tsx'
import { AddressLink } from '../../parts/AddressLink.tsx'
import { setQuery } from '../../router.tsx'
import { useReading } from '../../talk/unread.ts'
import { useSending } from '../../talk/useSending.ts'
import { loadTalkEngine, type TaskTalk, toWrittenOffer } from '../../talk/useTalk.ts'
import { offersText as labels } from '../../text/offers.ts'
import { Address } from '../../ui/Address.tsx'
import { Amount } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { Note } from '../../ui/Note.tsx'
import { TextArea, TextField } from '../../ui/TextField.tsx'
import { Time, useNow } from '../../ui/Time.tsx'

interface OfferViewProps {
  offer: TalkNegotiation
  talk: TaskTalk
  you: string
}

/** One negotiation: the current terms, what was said, and the next step. */
export function OfferView({ offer, talk, you }: OfferViewProps) {
  const { state, turn, messages } = offer
  useReading(toWrittenOffer(offer))
  const { terms, parties, phase, acceptances, negotiationId } = state
  const { isBusy, problem, run } = useSending()
  const me = parties.poster.toLowerCase() === you.toLowerCase() ? 'poster' : 'worker'
  const hasAccepted = acceptances[me] !== undefined
  const creation = useQuery({
    queryKey: [{ creation: negotiationId, at: state.head }],
    enabled: phase === 'AGREED',
    queryFn: async () => (await loadTalkEngine()).findCreation(state),
  })
  const accept = () =>
    run(() =>
      talk.send(async ({ accept, mailbox }, provider) => {
        const { createWalletSigning } = await loadTalkEngine()
        return accept(negotiationId, terms.settlementDigest, createWalletSigning(provider, mailbox.wallet))
      }),
    )
  const canAnswer = phase === 'OFFERED' || phase === 'HALF_ACCEPTED'
  return (
    <div className="stack loose">
      <div>
        <Button size="small" look="quiet" onClick={() => setQuery({ offer: null })}>
          {labels.back}
        </Button>
      </div>
      <section className="card pad stack">
        <div className="row between wrapping">
          <h2 dir="auto">{sanitizeText(terms.title)}</h2>
          <span className={turn === me ? 'pill turn' : 'pill'}>
            {turn === null ? labels.phases[phase] : turn === me ? labels.turn.you : labels.turn.them}
          </span>
        </div>
        <p className="row wrapping small soft">
          {labels.poster} <AddressLink of={parties.poster} market={terms.market} you={you} /> {labels.worker}{' '}
          <AddressLink of={parties.worker} market={terms.market} you={you} />
        </p>
        <Markdown of={terms.criteria} />
        <ol className="plain-list">
          {terms.milestones.map(({ title, amountTokWei, durationSeconds }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a milestone is identified by its number
            <li key={index} className="row between wrapping">
              <span dir="auto">
                {index + 1}. {sanitizeText(title)}{' '}
                <span className="small soft">{formatDuration(Number(durationSeconds))}</span>
              </span>
              <span>
                <Amount of={amountTokWei} usd />
              </span>
            </li>
          ))}
        </ol>
        <p className="small soft">{labels.review(formatDuration(Number(terms.reviewWindowSeconds)))}</p>
        <Note tone="loss">{problem}</Note>
        {canAnswer && turn === me && !hasAccepted && (
          <div className="stack tight">
            <div>
              <Button look="primary" busy={isBusy} onClick={() => void accept()}>
                {labels.accept}
              </Button>
            </div>
            <p className="small soft">{labels.acceptSays}</p>
          </div>
        )}
        {canAnswer && hasAccepted && <Note>{labels.accepted}</Note>}
        {canAnswer && !hasAccepted && <CounterForm terms={terms} id={negotiationId} talk={talk} />}
      </section>
      {phase === 'AGREED' && creation.data && (
        <section className="card pad stack">
          <h3>{labels.create}</h3>
          <p>{labels.agreed}</p>
          <ActionForm name="create-task" known={creation.data} />
          <p className="small soft">{labels.created}</p>
        </section>
      )}
      <History messages={messages} you={you} />
    </div>
  )
}

interface HistoryProps {
  messages: readonly SignedMessage[]
  you: string
}

function History({ messages, you }: HistoryProps) {
  return (
    <section className="stack">
      <h3>{labels.history}</h3>
      <ul className="talk-messages">
        {messages.map(({ envelope, hash }) => (
          <li
            key={hash}
            className={
              envelope.sender.evmAddress.toLowerCase() === you.toLowerCase() ? 'talk-message own' : 'talk-message'
            }
          >
            <p className="row wrapping tiny soft">
              <Address of={envelope.sender.evmAddress} you={you} size={18} />{' '}
              {Object.entries(labels.messages).find(([type]) => type === envelope.type)?.[1] ?? envelope.type}{' '}
              <Time at={Math.floor(Date.parse(envelope.timestamp) / 1000)} />
            </p>
            {envelope.type === 'TaskCounterOffer' && typeof envelope.payload.reason === 'string' && (
              <p className="talk-text" dir="auto">
                {sanitizeText(envelope.payload.reason)}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface CounterFormProps {
  terms: TermsDocument
  id: string
  talk: TaskTalk
}

/** Changes pay and time of the milestones. */
function CounterForm({ terms, id, talk }: CounterFormProps) {
  const now = useNow()
  const [rows, setRows] = useState(() =>
    terms.milestones.map(({ amountTokWei, durationSeconds }) => ({
      amount: formatAmount(amountTokWei, 'tok').replace(/[^\d.]/g, ''),
      days: String(Number(durationSeconds) / 86_400),
    })),
  )
  const [reason, setReason] = useState('')
  const { isBusy, problem, run } = useSending()
  const changeAt = (at: number, changes: Partial<(typeof rows)[number]>) =>
    setRows(rows.map((row, index) => (index === at ? { ...row, ...changes } : row)))
  const send = (event: FormEvent) => {
    event.preventDefault()
    void run(() =>
      talk.send(({ counter }) =>
        counter(
          id,
          (current) =>
            changeTerms(
              current,
              {
                milestones: current.milestones.map(({ title }, index) => ({
                  title,
                  amount: `${rows[index]?.amount ?? ''} TOK`,
                  duration: `${rows[index]?.days ?? ''} days`,
                })),
              },
              now,
            ),
          reason.trim() || undefined,
        ),
      ),
    )
  }
  return (
    <details>
      <summary>{labels.counter}</summary>
      <form className="stack" onSubmit={send}>
        {rows.map(({ amount, days }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a milestone is identified by its number
          <div key={index} className="row wrapping">
            <TextField
              label={labels.pay(index)}
              value={amount}
              onChange={(value) => changeAt(index, { amount: value })}
            />
            <TextField label={labels.days(index)} value={days} onChange={(value) => changeAt(index, { days: value })} />
          </div>
        ))}
        <TextArea
          label={labels.reason}
          error={problem}
          rows={2}
          maxLength={1_000}
          value={reason}
          onChange={setReason}
        />
        <div>
          <Button type="submit" busy={isBusy}>
            {labels.sendCounter}
          </Button>
        </div>
      </form>
    </details>
  )
}
