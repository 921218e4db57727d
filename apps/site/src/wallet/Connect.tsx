import { Wallet } from 'lucide-react'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useConnect, useConnectors } from 'wagmi'
import { text } from '../text/common.ts'
import { walletText } from '../text/wallet.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { thirdPartyNotes } from './optionalConnectors.ts'
import { isDeclined, readWalletError } from './provider.ts'
import { useWallet } from './useWallet.ts'

declare const __WALLETCONNECT__: boolean

const PairingCode = __WALLETCONNECT__
  ? lazy(async () => ({ default: (await import('./PairingCode.tsx')).PairingCode }))
  : null

interface ConnectProps {
  big?: boolean
  label?: string
  /** Goes on with what the visitor wanted. */
  onConnected?: () => void
}

/** The button that opens the choice of wallets. */
export function Connect({ big = false, label = walletText.connect, onConnected }: ConnectProps) {
  const { isConnecting } = useWallet()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  return (
    <>
      <Button
        look={big ? 'primary' : 'plain'}
        size={big ? 'big' : 'usual'}
        busy={isConnecting}
        onClick={() => dialog.current?.showModal()}
      >
        {isConnecting ? walletText.connecting : label}
      </Button>
      <dialog ref={dialog} aria-labelledby={id}>
        <Choice titleId={id} onConnected={onConnected} onDone={() => dialog.current?.close()} />
      </dialog>
    </>
  )
}

function Choice({
  titleId,
  onConnected,
  onDone,
}: {
  titleId: string
  onConnected: (() => void) | undefined
  onDone: () => void
}) {
  const found = useConnectors()
  const { mutateAsync: connect, isPending, variables } = useConnect()
  const chosen = found.find((connector) => connector === variables?.connector)
  const [problem, setProblem] = useState<string | null>(null)
  const hasInjected = useHasInjected()
  // Announced wallets have their own connector. The generic one is for wallets that do not announce themselves.
  const announced = found.filter(({ id }) => id !== 'injected' && !(id in thirdPartyNotes))
  const injected = announced.length > 0 || !hasInjected ? [] : found.filter(({ id }) => id === 'injected')
  const offered = [...announced, ...injected, ...found.filter(({ id }) => id in thirdPartyNotes)]

  const choose = async (connector: (typeof found)[number]) => {
    setProblem(null)
    try {
      await connect({ connector })
      onDone()
      onConnected?.()
    } catch (error) {
      const hasDeclined = isDeclined(error) || /reject/i.test(readWalletError(error).message)
      setProblem(hasDeclined ? walletText.declined : walletText.noAnswer)
    }
  }

  return (
    <div className="stack">
      <h2 id={titleId}>{walletText.title}</h2>
      <p className="soft">{walletText.description}</p>
      {offered.length === 0 ? (
        <Note>{walletText.none}</Note>
      ) : (
        <ul className="stack wallets">
          {offered.map((connector) => (
            <li key={connector.uid}>
              <Button wide size="big" disabled={isPending} onClick={() => void choose(connector)}>
                {connector.icon ? (
                  <img src={connector.icon} alt="" width={24} height={24} />
                ) : (
                  <Wallet size={22} aria-hidden="true" />
                )}
                <span>{connector.id === 'injected' ? walletText.injected : connector.name}</span>
              </Button>
              {thirdPartyNotes[connector.id] && <p className="tiny faint">{thirdPartyNotes[connector.id]}</p>}
            </li>
          ))}
        </ul>
      )}
      {PairingCode && isPending && chosen?.id === 'walletConnect' && (
        <Suspense>
          <PairingCode />
        </Suspense>
      )}
      <Note tone="loss">{problem}</Note>
      <Button look="quiet" onClick={onDone}>
        {text.close}
      </Button>
    </div>
  )
}

function useHasInjected(): boolean {
  const [has, setHas] = useState('ethereum' in window)
  useEffect(() => {
    const look = () => setHas('ethereum' in window)
    window.addEventListener('ethereum#initialized', look)
    return () => window.removeEventListener('ethereum#initialized', look)
  }, [])
  return has
}
