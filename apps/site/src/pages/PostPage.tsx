import {
  buildTermsFromDraft,
  defaultReviewWindow,
  draftDefaults,
  formatTermsText,
  type Market,
  marketParams,
  parseDuration,
  parseTermsDraft,
  toTaskTerms,
} from '@svc/protocol'
import { actions, encodeActionField } from '@svc/protocol/actions'
import { type FormEvent, useState } from 'react'
import { type Address, bytesToBigInt } from 'viem'
import { ActionForm } from '../actions/ActionForm.tsx'
import { useApi } from '../api.ts'
import { getSigningContext } from '../deployments.ts'
import { Alert } from '../parts/Alert.tsx'
import { MarketChoice, useMarket } from '../parts/MarketChoice.tsx'
import { QuotaNotice } from '../parts/QuotaNotice.tsx'
import { useDraft } from '../parts/useDraft.ts'
import { useLiveUpdates } from '../useLiveUpdates.ts'
import { useWallet } from '../wallet/useWallet.ts'

const postTask = actions['post-task']

/** What was typed. */
interface Form {
  title: string
  criteria: string
  milestones: { title: string; amount: string; days: string }[]
  claimDays: string
  reviewHours: string
  revisions: string
}

const empty: Form = {
  title: '',
  criteria: '',
  milestones: [{ title: '', amount: '', days: '' }],
  claimDays: '',
  reviewHours: '',
  revisions: '1',
}

/** A form for a new task. It builds the terms, shows the costs, and posts with one confirmation if the wallet supports batches. */
export function PostPage() {
  const market = useMarket()
  const { address } = useWallet()
  const [draft, setDraft] = useDraft<Form>(`post-${market}`, empty)
  const [input, setInput] = useState<Readonly<Record<string, unknown>> | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const quota = useApi('getQuota', { address: address ?? '', market }, address !== undefined)
  const isAtLimit = quota.body?.canPost === false
  // Unblocks the form when a plan is bought elsewhere.
  useLiveUpdates(market)
  const change = (changes: Partial<Form>) => setDraft({ ...draft, ...changes })
  const params = marketParams[market]

  const agree = (event: FormEvent) => {
    event.preventDefault()
    if (!address) return setProblem('Connect a wallet: it is the poster.')
    try {
      setInput(buildPostInput(draft, market, address))
      setProblem(null)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The draft cannot be read.')
    }
  }

  return (
    <>
      <h1>Post a task</h1>
      <MarketChoice />
      {quota.body && address && <QuotaNotice quota={quota.body} market={market} wallet={address} />}
      {input ? (
        <section>
          <h2>Check and sign</h2>
          <ActionForm name="post-task" known={input} isBlocked={isAtLimit} />
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
            // biome-ignore lint/suspicious/noArrayIndexKey: a milestone is identified by its number
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
              placeholder={String(parseDuration(draftDefaults.claimWithin) / 86_400)}
              onChange={({ target }) => change({ claimDays: target.value })}
            />
          </label>
          <label>
            Hours you take for review ({params.minReviewWindow / 3_600} to {params.maxReviewWindow / 3_600}); your
            silence pays the worker
            <input
              inputMode="decimal"
              value={draft.reviewHours}
              placeholder={String(defaultReviewWindow[market] / 3_600)}
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
          <button type="submit" className="primary" disabled={isAtLimit}>
            See the terms and what they cost
          </button>
        </form>
      )}
    </>
  )
}

/** Builds the input of post-task from what was typed. A field that was left empty has its default. */
function buildPostInput(form: Form, market: Market, poster: Address): Record<string, unknown> {
  const draft = parseTermsDraft({
    market,
    title: form.title || undefined,
    criteria: form.criteria || undefined,
    milestones: form.milestones.map(({ title, amount, days }) => ({
      title: title || undefined,
      amount: amount || undefined,
      duration: addUnit(days, 'days'),
    })),
    claimWithin: addUnit(form.claimDays, 'days'),
    reviewWithin: addUnit(form.reviewHours, 'hours'),
    maxRevisions: form.revisions === '' ? undefined : Number(form.revisions),
  })
  const document = buildTermsFromDraft(draft, {
    signing: getSigningContext,
    poster,
    now: Math.floor(Date.now() / 1000),
    nonce: bytesToBigInt(crypto.getRandomValues(new Uint8Array(16))),
  })
  return { market, terms: encodeActionField(postTask, 'terms', toTaskTerms(document)), text: formatTermsText(document) }
}

/** The duration that was typed, in the unit of its field unless it names one. */
function addUnit(typed: string, unit: 'days' | 'hours'): string | undefined {
  const text = typed.trim()
  return text === '' ? undefined : /[a-z]$/i.test(text) ? text : `${text} ${unit}`
}
