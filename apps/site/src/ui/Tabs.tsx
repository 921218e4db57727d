import { type KeyboardEvent, type ReactNode, useId } from 'react'

export interface Tab {
  id: string
  label: ReactNode
  content: () => ReactNode
}

/** Tabs. The arrow keys move between them. */
export function Tabs({
  tabs,
  chosen,
  onChoose,
}: {
  tabs: readonly Tab[]
  chosen: string
  onChoose: (id: string) => void
}) {
  const group = useId()
  const at = Math.max(
    0,
    tabs.findIndex(({ id }) => id === chosen),
  )
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (step === 0 || !next) return
    event.preventDefault()
    onChoose(next.id)
    document.getElementById(`${group}-${next.id}`)?.focus()
  }
  const current = tabs[at]
  return (
    <>
      <div className="tabs" role="tablist" onKeyDown={move}>
        {tabs.map(({ id, label }, index) => (
          <button
            key={id}
            id={`${group}-${id}`}
            type="button"
            role="tab"
            aria-selected={index === at}
            aria-controls={`${group}-panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {label}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a panel without a control must be reachable */}
      <div id={`${group}-panel`} role="tabpanel" aria-labelledby={`${group}-${current?.id}`} tabIndex={0}>
        {current?.content()}
      </div>
    </>
  )
}
