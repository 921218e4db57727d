import { expect, test } from 'vitest'
import { parseSources } from './ast.ts'
import { applyMutant, findMutants } from './mutants.ts'

const source = `contract Vault {
    enum State { OPEN, PAID, CLOSED }
    struct Parties { address poster; address worker; uint256 amount; }
    event Paid(State state, address to, uint256 amount, uint256 left);
    error TooMuch(uint256 amount, uint256 limit);
    uint256 private constant LIMIT = 10 * 1e18;
    uint256 private immutable FEE;
    uint256 private paid;
    modifier onlyOnce() { require(paid == 0, "paid"); _; }
    constructor(uint256 fee) { FEE = fee; }
    function pay(Parties memory parties, uint256 amount) external onlyOnce returns (bool) {
        if (amount >= LIMIT) revert TooMuch(amount, LIMIT);
        paid += amount - FEE;
        emit Paid(State.PAID, parties.worker, amount, 1 days);
        return amount < 2;
    }
}
`

const find = (text: string) => findMutants(parseSources({ 'Vault.sol': text }), () => text)

test('finds each kind of defect, labelled by function', () => {
  expect(find(source).map(({ line, label }) => `${line} ${label}`)).toMatchInlineSnapshot(`
    [
      "6 LIMIT: 10 * 1e18 => 11 * 1e18",
      "6 LIMIT: 10 * 1e18 => 9 * 1e18",
      "6 LIMIT: 10 * 1e18 => 10 / 1e18",
      "6 LIMIT: 10 * 1e18 => 10 * (1e18 + 1)",
      "6 LIMIT: 10 * 1e18 => 10 * (1e18 - 1)",
      "9 onlyOnce: require(paid == 0, "paid"); => { }",
      "9 onlyOnce: require(paid == 0, "paid") => require(false, "paid")",
      "9 onlyOnce: paid == 0 => paid != 0",
      "9 onlyOnce: paid == 0 => paid == 1",
      "9 onlyOnce: require(paid == 0, "paid") => require(paid == 0, "")",
      "10 constructor: FEE = fee; => { }",
      "11 pay: onlyOnce => ",
      "12 pay: if (amount >= LIMIT) => if (true)",
      "12 pay: if (amount >= LIMIT) => if (false)",
      "12 pay: amount >= LIMIT => amount > LIMIT",
      "12 pay: TooMuch(amount, LIMIT) => TooMuch(0, LIMIT)",
      "12 pay: TooMuch(amount, LIMIT) => TooMuch(LIMIT, amount)",
      "12 pay: TooMuch(amount, LIMIT) => TooMuch(amount, 0)",
      "13 pay: paid += amount - FEE; => { }",
      "13 pay: paid += amount - FEE => paid -= amount - FEE",
      "13 pay: amount - FEE => amount + FEE",
      "14 pay: emit Paid(State.PAID, parties.worker, amount, 1 days); => { }",
      "14 pay: State.PAID => State.CLOSED",
      "14 pay: Paid(State.PAID, parties.worker, amount, 1 days) => Paid(State.PAID, address(0), amount, 1 days)",
      "14 pay: parties.worker => parties.poster",
      "14 pay: Paid(State.PAID, parties.worker, amount, 1 days) => Paid(State.PAID, parties.worker, 0, 1 days)",
      "14 pay: Paid(State.PAID, parties.worker, amount, 1 days) => Paid(State.PAID, parties.worker, amount, (1 days + 1))",
      "14 pay: Paid(State.PAID, parties.worker, amount, 1 days) => Paid(State.PAID, parties.worker, amount, (1 days - 1))",
      "15 pay: return amount < 2; => { }",
      "15 pay: amount < 2 => amount <= 2",
      "15 pay: amount < 2 => amount >= 2",
      "15 pay: amount < 2 => amount < 3",
      "15 pay: amount < 2 => amount < 1",
    ]
  `)
})

test('a defect changes only its own place', () => {
  const boundary = find(source).find(({ label }) => label.endsWith('=> amount > LIMIT'))
  expect(boundary && applyMutant(source, boundary)).toBe(source.replace('>=', '>'))
})

test('equal changes of a function are numbered', () => {
  const twice = `contract Twice {
    uint256 private sum;
    function add() external { sum += 1; sum += 1; }
}`
  const deleted = find(twice).filter(({ label }) => label.includes('{ }'))
  expect(deleted.map(({ label }) => label)).toEqual(['add: sum += 1; => { }', 'add: sum += 1; => { } #2'])
})

test('interfaces have no defects', () => {
  expect(find('interface IVault {\n    function pay(uint256 amount) external returns (bool);\n}\n')).toEqual([])
})
