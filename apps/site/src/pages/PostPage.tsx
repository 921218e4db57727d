import { buildTerms, marketParams, parseAmount, termsOf, textOf } from '@svc/protocol'
import { type AnyAction, actions, writeField } from '@svc/protocol/actions'
import { type FormEvent, useState } from 'react'
import type { Address } from 'viem'
import { ActionForm } from '../actions/ActionForm.tsx'
import { useApi } from '../api.ts'
import { signingContext } from '../deployments.ts'
import { Alert } from '../parts/Alert.tsx'
import { MarketChoice, useMarket } from '../parts/MarketChoice.tsx'
import { Reading } from '../parts/Reading.tsx'
import { useDraft } from '../parts/useDraft.ts'
import { useWallet } from '../wallet/useWallet.ts'

const postTask = actions.find(({ name }) => name === 'post-task') as AnyAction

interface Draft {
  title: string
  criteria: string
  milestones: { title: string; amount: string; days: string }[]
  claimDays: string
  reviewHours: string
  revisions: string
}

const empty: Draft = {
  title: '',
  criteria: '',
  milestones: [{ title: '', amount: '', days: '' }],
  claimDays: '',
  reviewHours: '',
  revisions: '1',
}

/** From words to terms, their digest and what they cost; then one confirmation for allowance, post and money. */
export function PostPage() {
  const market = useMarket()
  const { address } = useWallet()
  const [draft, setDraft] = useDraft<Draft>(`post-${market}`, empty)
  const [input, setInput] = useState<Readonly<Record<string, unknown>> | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const quota = useApi('postingQuota', { address: address ?? '', market }, address !== undefined)
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes })
  const params = marketParams[market]

  const agree = (event: FormEvent) => {
    event.preventDefault()
    if (!address) return setProblem('Connect a wallet: it is the poster.')
    try {
      setInput(inputOf(draft, market, address))
      setProblem(null)
    } catch (error) {
      setProblem(wordsOf(error))
    }
  }

  return (
    <>
      <h1>Post a task</h1>
      <MarketChoice />
      {quota.body && (
        <Reading of={quota}>
          {({ used, limit, canPost, tier }) => (
            <p className={canPost ? 'hint' : 'problem'}>
              {used} of {limit} posts used today on the {tier} plan.{' '}
              {canPost ? '' : 'The quota is advice: the contract lets you post, and a plan gives you more.'}
            </p>
          )}
        </Reading>
      )}
      {input ? (
        <section>
          <h2>Check and sign</h2>
          <ActionForm name="post-task" known={input} />
          <button type="button" onClick={() => setInput(null)}>
            Change the words
          </button>
        </section>
      ) : (
        <form onSubmit={agree} className="post" noValidate>
          <label>
            Title
            <input value={draft.title} maxLength={120} onChange={({ target }) => change({ title: target.value })} />
          </label>
          <label>
            What must be true of the work for you to accept it
            <textarea rows={6} value={draft.criteria} onChange={({ target }) => change({ criteria: target.value })} />
          </label>
          {draft.milestones.map((milestone, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a milestone is its number
            <fieldset key={index} className="milestone">
              <legend>Milestone {index + 1}</legend>
              {(['title', 'amount', 'days'] as const).map((part) => (
                <label key={part}>
                  {
                    {
                      title: 'What is delivered',
                      amount: 'Pays, in TOK',
                      days: `Days to do it (${params.minDuration / 86_400} to ${params.maxDuration / 86_400})`,
                    }[part]
                  }
                  <input
                    value={milestone[part]}
                    inputMode={part === 'title' ? 'text' : 'decimal'}
                    onChange={({ target }) =>
                      change({ milestones: draft.milestones.with(index, { ...milestone, [part]: target.value }) })
                    }
                  />
                </label>
              ))}
              {draft.milestones.length > 1 && (
                <button type="button" onClick={() => change({ milestones: draft.milestones.toSpliced(index, 1) })}>
                  Remove milestone {index + 1}
                </button>
              )}
            </fieldset>
          ))}
          <button
            type="button"
            onClick={() => change({ milestones: [...draft.milestones, { title: '', amount: '', days: '' }] })}
          >
            Add a milestone
          </button>
          <label>
            Days in which it can be claimed (up to {params.maxClaimDeadline / 86_400})
            <input
              inputMode="decimal"
              value={draft.claimDays}
              onChange={({ target }) => change({ claimDays: target.value })}
            />
          </label>
          <label>
            Hours you take for review ({params.minReviewWindow / 3_600} to {params.maxReviewWindow / 3_600}); your
            silence pays the worker
            <input
              inputMode="decimal"
              value={draft.reviewHours}
              onChange={({ target }) => change({ reviewHours: target.value })}
            />
          </label>
          <label>
            Revisions you may ask for, each milestone
            <input
              inputMode="numeric"
              value={draft.revisions}
              onChange={({ target }) => change({ revisions: target.value })}
            />
          </label>
          <Alert>{problem}</Alert>
          <button type="submit" className="primary">
            See the terms and what they cost
          </button>
        </form>
      )}
    </>
  )
}

function inputOf(draft: Draft, market: 'standard' | 'micro', poster: Address): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000)
  const days = (text: string, what: string) => {
    const number = Number(text)
    if (!(number > 0)) throw new Error(`${what}: write a number above zero.`)
    return Math.round(number * 86_400)
  }
  const document = buildTerms(
    {
      poster,
      title: draft.title,
      criteria: draft.criteria,
      milestones: draft.milestones.map(({ title, amount, days: length }, index) => ({
        title,
        amountTokWei: parseAmount(amount, 'tok'),
        durationSeconds: days(length, `Milestone ${index + 1}, days`),
      })),
      claimDeadline: now + days(draft.claimDays, 'Days to claim'),
      reviewWindowSeconds: Math.round(days(draft.reviewHours, 'Hours of review') / 24),
      maxRevisions: Number(draft.revisions),
      nonce: BigInt(
        `0x${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
      ),
    },
    signingContext(market),
    now,
  )
  return { market, terms: writeField(postTask, 'terms', termsOf(document)), text: textOf(document) }
}

/** What is wrong with a draft, in a sentence. */
function wordsOf(error: unknown): string {
  const { issues } = error as { issues?: readonly { path: readonly unknown[]; message: string }[] }
  const [first] = issues ?? []
  if (first) return `${first.path.join(' ')}: ${first.message}.`
  return error instanceof Error ? error.message : 'The draft cannot be read.'
}
