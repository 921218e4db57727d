import { expect, test } from 'vitest'
import { applyMutant, findMutants } from './mutants.ts'

const source = `contract Vault {
    function pay(uint256 amount) external onlyOwner {
        if (amount >= limit) revert TooMuch();
        paid += amount;
        emit Paid(TaskState.ACTIVE, 1);
    }
}
`

test('finds each kind of defect, labelled by function', () => {
  expect(findMutants('Vault.sol', source).map(({ line, label }) => `${line} ${label}`)).toMatchInlineSnapshot(`
    [
      "3 pay: if (amount >= limit) => if (true)",
      "3 pay: if (amount >= limit) => if (false)",
      "3 pay: amount >= limit => amount > limit",
      "4 pay: paid += amount; => { }",
      "4 pay: paid += amount => paid -= amount",
      "5 pay: emit Paid(TaskState.ACTIVE, 1); => { }",
      "5 pay: TaskState.ACTIVE => TaskState.DISPUTED",
      "5 pay: 1 => 2",
      "2 pay: onlyOwner => ",
    ]
  `)
})

test('a defect changes only its own place', () => {
  const boundary = findMutants('Vault.sol', source).find(({ replacement }) => replacement === '>')
  expect(boundary && applyMutant(source, boundary)).toBe(source.replace('>=', '>'))
})

test('constants are not mutated', () => {
  expect(findMutants('Limits.sol', 'contract Limits {\n    uint256 private constant LIMIT = 1 + 2;\n}\n')).toEqual([])
})
