import { markets } from '@svc/protocol'
import { text } from '../text/common.ts'
import { chooseMarket, useMarket } from '../useMarket.ts'

/** Switches between the two markets. Their tasks are never mixed; the choice is remembered. */
export function MarketSwitch() {
  const chosen = useMarket()
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{text.market.label}</legend>
      {markets.map((market) => (
        <label key={market}>
          <input type="radio" name="market" checked={market === chosen} onChange={() => chooseMarket(market)} />
          {text.market[market]}
        </label>
      ))}
    </fieldset>
  )
}
