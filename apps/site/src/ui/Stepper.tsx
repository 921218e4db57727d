/** Where something stands in a fixed order of steps. `at` is the current one; a number past the end means all are done. */
export function Stepper({
  steps,
  at,
  tone = 'plain',
}: {
  steps: readonly string[]
  at: number
  tone?: 'plain' | 'turn' | 'loss'
}) {
  return (
    <ol className={`stepper ${tone}`}>
      {steps.map((step, index) => (
        <li key={step} className={index < at ? 'done' : undefined} aria-current={index === at ? 'step' : undefined}>
          {step}
        </li>
      ))}
    </ol>
  )
}
