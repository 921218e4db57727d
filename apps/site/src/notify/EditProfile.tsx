import { formatAmount, parseAmount } from '@svc/protocol'
import { type Profile, profileLimits } from '@svc/protocol/profile'
import { type FormEvent, useState } from 'react'
import type { Address } from 'viem'
import type { SelfDeclaredProfile } from '../parts/SelfDeclared.tsx'
import { profileText } from '../text/profile.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { TextArea, TextField } from '../ui/TextField.tsx'
import { PictureField } from './PictureField.tsx'
import { usePublishProfile } from './usePublishProfile.ts'

const labels = profileText.edit

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
  const [picture, setPicture] = useState<Blob | string | null>(current?.profile.picture ?? null)
  const { publish, busy, problem } = usePublishProfile(wallet, onDone)
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    void publish(toProfile(draft, current?.profile), picture)
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
      <PictureField wallet={wallet} picture={picture} onChange={setPicture} />
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
            onClick={() => void publish(null, null)}
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
