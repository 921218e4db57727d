/** How a sum divides into what was paid, what is held and what went back. */
export function MoneyBar({
  total,
  paid,
  held,
  refunded,
}: Readonly<Record<'total' | 'paid' | 'held' | 'refunded', bigint>>) {
  const width = (part: bigint) => ({ width: `${total > 0n ? Number((part * 10_000n) / total) / 100 : 0}%` })
  return (
    <div className="money-bar" aria-hidden="true">
      <span className="paid" style={width(paid)} />
      <span className="held" style={width(held)} />
      <span className="refunded" style={width(refunded)} />
    </div>
  )
}
