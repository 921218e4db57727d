import { ArrowRight, KeyRound, QrCode, Wallet, X } from 'lucide-react'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { type Connector, useConnect, useConnectors } from 'wagmi'
import { text } from '../text/common.ts'
import { walletText as labels } from '../text/wallet.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { isRemote, offersOther, offersPasskey, warmPasskey } from './optionalConnectors.ts'
import { isDeclined, readWalletError } from './provider.ts'
import { useWallet } from './useWallet.ts'

const PairingCode = offersOther
  ? lazy(async () => ({ default: (await import('./PairingCode.tsx')).PairingCode }))
  : null

interface ConnectProps {
  big?: boolean
  label?: string
  /** What the visitor wants, as the title of the choice. */
  title?: string
  /** Goes on with what the visitor wanted. */
  onConnected?: () => void
}

/** The button that opens the choice of wallets. */
export function Connect({ big = false, label = labels.connect, title = labels.title, onConnected }: ConnectProps) {
  const { isConnecting } = useWallet()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const open = () => {
    dialog.current?.showModal()
    warmPasskey()
  }
  const close = () => dialog.current?.close()
  return (
    <>
      <Button
        look={big ? 'primary' : 'plain'}
        size={big ? 'big' : 'usual'}
        wide={big}
        busy={isConnecting}
        onClick={open}
      >
        {isConnecting ? labels.connecting : label}
      </Button>
      <dialog ref={dialog} className="sign-in" aria-labelledby={id}>
        <header className="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" className="dialog-close" aria-label={text.close} onClick={close}>
            <X size={18} aria-hidden="true" />
          </button>
        </header>
        <Choice
          onDone={() => {
            close()
            onConnected?.()
          }}
        />
      </dialog>
    </>
  )
}

function Choice({ onDone }: { onDone: () => void }) {
  const found = useConnectors()
  const { mutateAsync: connect, isPending, variables } = useConnect()
  const [problem, setProblem] = useState<string | null>(null)
  const hasInjected = useHasInjected()
  // Announced wallets have their own connector. The generic one is for wallets that do not announce themselves.
  const announced = found.filter(({ id }) => id !== 'injected' && !isRemote(id))
  const injected = announced.length > 0 || !hasInjected ? [] : found.filter(({ id }) => id === 'injected')
  const local = [...announced, ...injected]
  const [passkey, other] = ['baseAccount', 'walletConnect'].map((id) => found.find((each) => each.id === id))
  const isPairing = PairingCode && isPending && variables?.connector === other

  const choose = async (connector: Connector) => {
    setProblem(null)
    try {
      await connect({ connector })
      onDone()
    } catch (error) {
      const hasDeclined = isDeclined(error) || /reject/i.test(readWalletError(error).message)
      setProblem(hasDeclined ? labels.declined : labels.noAnswer)
    }
  }

  return (
    <div className={isPairing ? 'sign-in-body with-code' : 'sign-in-body'}>
      <div className="stack">
        <p className="soft">{labels.description}</p>
        {offersPasskey && passkey && (
          <button type="button" className="passkey" disabled={isPending} onClick={() => void choose(passkey)}>
            <KeyRound size={22} aria-hidden="true" />
            <span className="stack tight">
              <strong>{labels.passkey}</strong>
              <span className="small">{labels.passkeyNote}</span>
            </span>
            <ArrowRight size={20} aria-hidden="true" />
          </button>
        )}
        {passkey && local.length > 0 && <p className="or tiny faint">{labels.or}</p>}
        {local.length > 0 && (
          <ul className="wallets">
            {local.map((connector) => (
              <li key={connector.uid}>
                <Button wide size="big" disabled={isPending} onClick={() => void choose(connector)}>
                  {connector.icon ? (
                    <img src={connector.icon} alt="" width={24} height={24} />
                  ) : (
                    <Wallet size={22} aria-hidden="true" />
                  )}
                  <span>{connector.id === 'injected' ? labels.injected : connector.name}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
        {other && (
          <Button wide size="big" disabled={isPending} onClick={() => void choose(other)}>
            <QrCode size={20} aria-hidden="true" />
            <span>{labels.another}</span>
          </Button>
        )}
        {local.length === 0 && !passkey && !other && <Note>{labels.none}</Note>}
        <details className="is-new">
          <summary>{labels.isNew.title}</summary>
          <p className="small soft">
            {labels.isNew.wallet} {passkey && labels.isNew.passkey} {labels.isNew.limits}
          </p>
          {passkey && <p className="small soft">{labels.isNew.thirdParty}</p>}
        </details>
        <Note tone="loss">{problem}</Note>
      </div>
      {isPairing && (
        <Suspense>
          <PairingCode />
        </Suspense>
      )}
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
