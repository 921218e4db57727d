import { useEffect, useRef, useState } from 'react'
import { useConnect, useConnectors, useDisconnect } from 'wagmi'
import { Alert } from '../parts/Alert.tsx'
import { Wallet } from '../parts/values.tsx'
import { useWallet } from './useWallet.ts'

/** The wallet of the user in the header, and the dialog that connects one. */
export function Connect() {
  const { address, isWrongChain, switchToChain, isConnecting } = useWallet()
  const { mutate: disconnect } = useDisconnect()
  const dialog = useRef<HTMLDialogElement>(null)
  if (address) {
    return (
      <div className="connect">
        {isWrongChain && (
          <button type="button" className="warn" onClick={() => void switchToChain().catch(() => {})}>
            Wrong chain: switch
          </button>
        )}
        <Wallet of={address} />
        <button type="button" onClick={() => disconnect({})}>
          Disconnect
        </button>
      </div>
    )
  }
  return (
    <div className="connect">
      <button type="button" className="primary" disabled={isConnecting} onClick={() => dialog.current?.showModal()}>
        {isConnecting ? 'Connecting …' : 'Connect a wallet'}
      </button>
      <dialog ref={dialog} aria-labelledby="connect-title">
        <Choice onDone={() => dialog.current?.close()} />
      </dialog>
    </div>
  )
}

function Choice({ onDone }: { onDone: () => void }) {
  const found = useConnectors()
  const { mutateAsync: connect, isPending } = useConnect()
  const [problem, setProblem] = useState<string | null>(null)
  const hasInjected = useHasInjected()
  // Announced wallets have their own connector. The generic one is for wallets that do not announce themselves.
  const announced = found.filter(({ id }) => id !== 'injected')
  const offered = announced.length > 0 ? announced : found.filter(() => hasInjected)

  const choose = async (connector: (typeof found)[number]) => {
    setProblem(null)
    try {
      await connect({ connector })
      onDone()
    } catch (error) {
      const said = (error as { code?: number }).code === 4001 || /reject/i.test((error as Error).message)
      setProblem(
        said ? 'The wallet said no. You can ask it again.' : 'The wallet did not answer. Unlock it, then try again.',
      )
    }
  }

  return (
    <>
      <h2 id="connect-title">Connect a wallet</h2>
      <p>The wallet is who you are here: there is no account and no password. Reading needs none.</p>
      {offered.length === 0 ? (
        <p className="notice">
          No wallet was found in this browser. Install one as an extension, or open this page in the browser of your
          wallet, then reload.
        </p>
      ) : (
        <ul className="wallets">
          {offered.map((connector) => (
            <li key={connector.uid}>
              <button type="button" disabled={isPending} onClick={() => void choose(connector)}>
                {connector.id === 'injected' ? 'The wallet of this browser' : connector.name}
              </button>
            </li>
          ))}
        </ul>
      )}
      <Alert>{problem}</Alert>
      <button type="button" onClick={onDone}>
        Close
      </button>
    </>
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
