import { profileLimits } from '@svc/protocol/profile'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Address } from 'viem'
import { useConnection } from 'wagmi'
import { useApi } from '../api.ts'
import { chainProfile } from '../deployments.ts'
import { profileText } from '../text/profile.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { TextField } from '../ui/TextField.tsx'
import { useMarket } from '../useMarket.ts'
import { findProvider } from '../wallet/provider.ts'
import { PictureField } from './PictureField.tsx'
import { readBasename } from './readBasename.ts'
import { usePublishProfile } from './usePublishProfile.ts'

const labels = profileText.askName

/** Asks a wallet without a profile once what people should call it. It never stands in the way. */
export function AskName({ wallet }: { wallet: Address }) {
  const key = `asked-name:${wallet.toLowerCase()}`
  const [isOver, setOver] = useState(() => localStorage.getItem(key) !== null)
  const { body } = useApi('getProfile', { address: wallet, market: useMarket() }, !isOver)
  const [typed, setTyped] = useState<string | null>(null)
  const isAsking = !isOver && body?.selfDeclaredStatus === 'none'
  const suggestion = useBasename(wallet, isAsking)
  const name = typed ?? suggestion.slice(0, profileLimits.displayName)
  const [picture, setPicture] = useState<Blob | null>(null)
  const finish = () => {
    localStorage.setItem(key, '1')
    setOver(true)
  }
  const { publish, busy, problem, hasStore } = usePublishProfile(wallet, finish)
  if (!isAsking) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void publish({ displayName: name.trim(), about: '', skills: [], languages: [], links: [], offerings: [] }, picture)
  }
  return (
    <form className="card pad stack ask-name" onSubmit={submit} aria-labelledby="ask-name">
      <h2 id="ask-name">{labels.title}</h2>
      <p className="small soft">{labels.description}</p>
      <TextField
        label={labels.name}
        required
        maxLength={profileLimits.displayName}
        value={name}
        onChange={setTyped}
        dir="auto"
      />
      {hasStore && <PictureField wallet={wallet} picture={picture} onChange={setPicture} />}
      {problem !== null && <Note tone="loss">{problem}</Note>}
      <div className="row wrapping">
        <Button type="submit" look="primary" busy={busy !== null} disabled={name.trim() === ''}>
          {labels.save}
        </Button>
        <Button look="quiet" disabled={busy !== null} onClick={finish}>
          {labels.skip}
        </Button>
      </div>
    </form>
  )
}

/** The basename of the connected wallet, or nothing. */
function useBasename(wallet: Address, enabled: boolean): string {
  const { connector } = useConnection()
  const { nameResolver } = chainProfile
  const { data } = useQuery({
    queryKey: ['basename', wallet],
    enabled: enabled && nameResolver !== null,
    retry: false,
    queryFn: async () => {
      const provider = await findProvider(connector)
      return provider && nameResolver && readBasename(provider, nameResolver, wallet)
    },
  })
  return data ?? ''
}
