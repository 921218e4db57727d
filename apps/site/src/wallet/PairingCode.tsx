import { encodeQR } from 'qr'
import { useMemo } from 'react'
import { pairingText as labels } from '../text/optionalWallets.ts'
import { CopyButton } from '../ui/Address.tsx'
import { Button } from '../ui/Button.tsx'
import { relayHost, usePairing } from './walletConnect.ts'

/** The code that a wallet on another device scans, and the same as a link for one on this device. */
export function PairingCode() {
  const { uri, cancel } = usePairing()
  return (
    <div className="stack pairing">
      {uri && (
        <>
          <Code of={uri} />
          <p className="row wrapping">
            <a className="button" href={uri}>
              {labels.open}
            </a>
            <CopyButton value={uri} label={labels.copy} />
          </p>
        </>
      )}
      <p className="small soft" role="status">
        {uri ? labels.scan : labels.wait}
      </p>
      <p className="tiny faint">{labels.relay(relayHost)}</p>
      <Button onClick={cancel}>{labels.cancel}</Button>
    </div>
  )
}

function Code({ of: value }: { of: string }) {
  const { size, path } = useMemo(() => drawCode(value), [value])
  return (
    <svg className="pairing-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={labels.code}>
      <path d={path} />
    </svg>
  )
}

/** The dark squares of a QR code as one path. Its quiet zone is part of it. */
function drawCode(value: string): { size: number; path: string } {
  const rows = encodeQR(value, 'raw', { ecc: 'low' })
  const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { size: rows.length, path: squares.join('') }
}
