import { ApiError, createClient } from '@svc/client'
import { notifyEndpoints } from '@svc/operations/endpoints'
import { formatAmount, parseAmount } from '@svc/protocol'
import { buildProfileTypedData, encodeProfile, type Profile, profileLimits } from '@svc/protocol/profile'
import { type FormEvent, useState } from 'react'
import { type Address, getTypesForEIP712Domain, isHex, stringify } from 'viem'
import { getConnection } from 'wagmi/actions'
import { chainId } from '../deployments.ts'
import { profileText } from '../text/profile.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { TextArea, TextField } from '../ui/TextField.tsx'
import { findProvider, isDeclined } from '../wallet/provider.ts'
import { wagmiConfig } from '../wallet/wagmiConfig.ts'
import type { SelfDeclaredProfile } from './SelfDeclared.tsx'

const labels = profileText.edit
const notifier = createClient(notifyEndpoints, { baseUrl: location.origin })

interface EditProfileProps {
  wallet: Address
  current: SelfDeclaredProfile | null
  onDone: () => void
}

/** The fields as they are typed. Lists are one entry per line or separated by commas. */
interface Draft {
  displayName: string
  about: string
  skills: string
  languages: string
  links: string
  contact: string
  offerings: readonly { title: string; priceTok: string; turnaroundHours: string }[]
}

/** Edits the profile of the connected wallet. Saving asks the wallet for a signature; it costs nothing. */
export function EditProfile({ wallet, current, onDone }: EditProfileProps) {
  const [draft, setDraft] = useState(() => toDraft(current?.profile))
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState<'save' | 'remove' | null>(null)
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes })

  const publish = async (kind: 'save' | 'remove') => {
    setBusy(kind)
    setProblem(null)
    try {
      await signAndSend(wallet, kind === 'remove' ? '' : encodeProfile(toProfile(draft, current?.profile)))
      onDone()
    } catch (error) {
      setProblem(describeProblem(error))
    } finally {
      setBusy(null)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void publish('save')
  }

  return (
    <form className="card pad stack edit-profile" onSubmit={submit}>
      <div className="stack tight">
        <h2>{labels.title}</h2>
        <p className="small soft">{labels.description}</p>
      </div>
      <TextField
        label={labels.displayName}
        required
        maxLength={profileLimits.displayName}
        value={draft.displayName}
        onChange={(value) => change({ displayName: value })}
      />
      <TextArea
        label={labels.about}
        help={labels.aboutHelp}
        rows={5}
        maxLength={profileLimits.about}
        value={draft.about}
        onChange={(value) => change({ about: value })}
      />
      <TextField
        label={labels.skills}
        help={labels.skillsHelp}
        value={draft.skills}
        onChange={(value) => change({ skills: value })}
      />
      <TextField
        label={labels.languages}
        help={labels.languagesHelp}
        value={draft.languages}
        onChange={(value) => change({ languages: value })}
      />
      <TextArea
        label={labels.links}
        help={labels.linksHelp}
        rows={3}
        value={draft.links}
        onChange={(value) => change({ links: value })}
      />
      <TextField
        label={labels.contact}
        help={labels.contactHelp}
        maxLength={profileLimits.contact}
        value={draft.contact}
        onChange={(value) => change({ contact: value })}
      />
      <OfferingFields offerings={draft.offerings} onChange={(offerings) => change({ offerings })} />
      {problem !== null && <Note tone="loss">{problem}</Note>}
      <div className="row wrapping">
        <Button type="submit" look="primary" busy={busy === 'save'} disabled={busy !== null}>
          {labels.save}
        </Button>
        <Button look="quiet" disabled={busy !== null} onClick={onDone}>
          {labels.cancel}
        </Button>
        {current && (
          <Button
            look="danger"
            busy={busy === 'remove'}
            disabled={busy !== null}
            onClick={() => void publish('remove')}
          >
            {labels.remove}
          </Button>
        )}
      </div>
    </form>
  )
}

interface OfferingFieldsProps {
  offerings: Draft['offerings']
  onChange: (offerings: Draft['offerings']) => void
}

function OfferingFields({ offerings, onChange }: OfferingFieldsProps) {
  const change = (at: number, changes: Partial<Draft['offerings'][number]>) =>
    onChange(offerings.map((each, index) => (index === at ? { ...each, ...changes } : each)))
  return (
    <fieldset className="stack offering-fields">
      <legend>{labels.offerings}</legend>
      {offerings.map(({ title, priceTok, turnaroundHours }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own while they are typed
        <div key={at} className="offering-row">
          <TextField
            label={labels.offeringTitle}
            required
            maxLength={profileLimits.offeringTitle}
            value={title}
            onChange={(value) => change(at, { title: value })}
          />
          <TextField
            label={labels.price}
            required
            inputMode="decimal"
            value={priceTok}
            onChange={(value) => change(at, { priceTok: value })}
          />
          <TextField
            label={labels.turnaround}
            required
            inputMode="numeric"
            value={turnaroundHours}
            onChange={(value) => change(at, { turnaroundHours: value })}
          />
          <Button size="small" look="quiet" onClick={() => onChange(offerings.filter((_, index) => index !== at))}>
            {labels.removeOffering}
          </Button>
        </div>
      ))}
      {offerings.length < profileLimits.offerings && (
        <p>
          <Button
            size="small"
            onClick={() => onChange([...offerings, { title: '', priceTok: '', turnaroundHours: '24' }])}
          >
            {labels.addOffering}
          </Button>
        </p>
      )}
    </fieldset>
  )
}

const toDraft = (profile: SelfDeclaredProfile['profile'] | undefined): Draft => ({
  displayName: profile?.displayName ?? '',
  about: profile?.about ?? '',
  skills: (profile?.skills ?? []).join(', '),
  languages: (profile?.languages ?? []).join(', '),
  links: (profile?.links ?? []).map(({ label, url }) => `${label} ${url}`).join('\n'),
  contact: profile?.contact ?? '',
  offerings: (profile?.offerings ?? []).map(({ title, priceTokWei, turnaroundHours }) => ({
    title,
    priceTok: formatAmount(BigInt(priceTokWei), 'tok').replace(/[^0-9.]/g, ''),
    turnaroundHours: String(turnaroundHours),
  })),
})

/** Schemas cannot be edited here. Those of an offering whose title stays are kept. */
function toProfile(draft: Draft, before: SelfDeclaredProfile['profile'] | undefined): Profile {
  const split = (list: string) => [...new Set(list.split(/[\s,]+/).filter((each) => each !== ''))]
  const contact = draft.contact.trim()
  return {
    displayName: draft.displayName.trim(),
    about: draft.about.replaceAll('\r\n', '\n').trim(),
    skills: split(draft.skills.toLowerCase()),
    languages: split(draft.languages),
    links: draft.links
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [, label = '', url = ''] = /^(.*?)\s*(\S+)$/.exec(line.trim()) ?? []
        return { label: label === '' ? readHost(url) : label, url }
      }),
    ...(contact !== '' && { contact }),
    offerings: draft.offerings.map(({ title, priceTok, turnaroundHours }) => {
      const old = before?.offerings.find((each) => each.title === title.trim())
      return {
        title: title.trim(),
        priceTokWei: String(parseAmount(priceTok, 'tok')),
        turnaroundHours: Number(turnaroundHours),
        ...(old?.inputSchema && { inputSchema: old.inputSchema }),
        ...(old?.outputSchema && { outputSchema: old.outputSchema }),
      }
    }),
  }
}

const readHost = (url: string) => (URL.canParse(url) ? new URL(url).hostname : url)

/** Has the wallet sign the profile, and publishes it. */
async function signAndSend(wallet: Address, profile: string): Promise<void> {
  const { connector } = getConnection(wagmiConfig)
  const provider = await findProvider(connector)
  if (!provider) throw new Error(labels.noWallet)
  const statement = {
    wallet,
    domain: location.host,
    chainId,
    issuedAt: Math.floor(Date.now() / 1000),
    profile,
  }
  const typedData = buildProfileTypedData(statement)
  const types = { EIP712Domain: getTypesForEIP712Domain({ domain: typedData.domain }), ...typedData.types }
  const params = [wallet, stringify({ ...typedData, types })]
  const signature = await provider.request({ method: 'eth_signTypedData_v4', params })
  if (!isHex(signature)) throw new Error(labels.noWallet)
  await notifier.putProfile({ ...statement, signature })
}

function describeProblem(error: unknown): string {
  if (isDeclined(error)) return labels.declined
  if (error instanceof ApiError && [404, 405, 502, 503].includes(error.status)) return labels.unavailable
  return error instanceof Error ? error.message : String(error)
}
