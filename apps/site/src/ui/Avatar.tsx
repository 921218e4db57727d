/** A picture drawn from an address, so that a wallet is recognised again. */
export function Avatar({ of, size = 28 }: { of: string; size?: number }) {
  const seed = Number.parseInt(of.slice(2, 10) || '0', 16)
  const hue = seed % 360
  const turn = (seed >>> 9) % 360
  const id = `avatar-${of.slice(2, 10)}`
  return (
    <svg className="avatar" width={size} height={size} viewBox="0 0 28 28" aria-hidden="true">
      <defs>
        <linearGradient id={id} gradientTransform={`rotate(${turn} .5 .5)`}>
          <stop offset="0" stopColor={`hsl(${hue} 62% 44%)`} />
          <stop offset="1" stopColor={`hsl(${(hue + 70) % 360} 72% 62%)`} />
        </linearGradient>
      </defs>
      <circle cx="14" cy="14" r="14" fill={`url(#${id})`} />
      <circle
        cx={8 + (seed % 13)}
        cy={8 + ((seed >>> 4) % 13)}
        r={4 + ((seed >>> 8) % 5)}
        fill={`hsl(${(hue + 180) % 360} 70% 72% / 0.75)`}
      />
    </svg>
  )
}
