import { createRequire } from 'node:module'

/** A small defect in a source file. Offsets are in bytes, as the compiler counts. */
export interface Mutant {
  file: string
  line: number
  /** Its function and its change; stable while other lines move: `_engage: live >= slots => live > slots`. */
  label: string
  start: number
  length: number
  replacement: string
}

interface Node {
  nodeType: string
  src: string
  [key: string]: unknown
}

const operators: Record<string, readonly string[]> = {
  // Only the boundary: forcing a condition covers the inverted one.
  '<': ['<='],
  '<=': ['<'],
  '>': ['>='],
  '>=': ['>'],
  '==': ['!='],
  '!=': ['=='],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '<<': ['>>'],
  '>>': ['<<'],
  '&': ['|'],
  '|': ['&'],
}

/** Enum members that could be confused. */
const enumMembers: Record<string, readonly string[]> = {
  TaskState: ['POSTED', 'CLAIMED', 'ACTIVE', 'DISPUTED', 'COMPLETED', 'CANCELLED', 'EXPIRED', 'RESOLVED'],
  TaskScope: ['OPEN', 'PRIVATE'],
  ClaimPolicy: ['ANYONE', 'PERMIT'],
  AccessAction: ['POST', 'CLAIM', 'DISMISS', 'LEAVE'],
  DisputePhase: ['OPEN', 'EVIDENCE', 'RULED', 'CLOSED'],
}

/** Finds every mutant of a source: changed operators, forced conditions, deleted statements, other numbers and enum members. */
export function findMutants(file: string, text: string): Mutant[] {
  const bytes = Buffer.from(text)
  const slice = (start: number, end: number) => bytes.subarray(start, end).toString()
  const found: Mutant[] = []

  const add = (
    scope: string,
    start: number,
    length: number,
    replacement: string,
    shownStart: number,
    shownEnd: number,
  ) => {
    const before = slice(shownStart, shownEnd)
    const after = slice(shownStart, start) + replacement + slice(start + length, shownEnd)
    const label = `${scope}: ${oneLine(before)} => ${oneLine(after)}`
    const line = slice(0, start).split('\n').length
    found.push({ file, line, label, start, length, replacement })
  }

  const visit = (node: Node, scope: string) => {
    const [start, end] = range(node)
    const whole = (replacement: string) => add(scope, start, end - start, replacement, start, end)
    switch (node.nodeType) {
      case 'BinaryOperation': {
        const [, leftEnd] = range(node.leftExpression as Node)
        const [rightStart] = range(node.rightExpression as Node)
        const operator = String(node.operator)
        const at = leftEnd + slice(leftEnd, rightStart).indexOf(operator)
        for (const other of operators[operator] ?? []) add(scope, at, operator.length, other, start, end)
        break
      }
      case 'UnaryOperation':
        if (node.operator === '!') whole(slice(...range(node.subExpression as Node)))
        break
      case 'Assignment': {
        const [, leftEnd] = range(node.leftHandSide as Node)
        const operator = String(node.operator)
        if (operator !== '+=' && operator !== '-=') break
        const at = leftEnd + slice(leftEnd, end).indexOf(operator)
        add(scope, at, 2, operator === '+=' ? '-=' : '+=', start, end)
        break
      }
      case 'IfStatement': {
        const [from, to] = range(node.condition as Node)
        for (const forced of ['true', 'false']) add(scope, from, to - from, forced, from - 'if ('.length, to + 1)
        break
      }
      case 'Conditional': {
        const yes = slice(...range(node.trueExpression as Node))
        const no = slice(...range(node.falseExpression as Node))
        if (yes === no) break
        whole(yes)
        whole(no)
        break
      }
      case 'ExpressionStatement':
      case 'EmitStatement':
        // An empty block can replace any statement. A loop header has no semicolon, so its step stays.
        if (slice(end, end + 1) === ';') add(scope, start, end + 1 - start, '{ }', start, end + 1)
        break
      case 'ModifierInvocation':
        // A base constructor's arguments look the same, but are not a modifier.
        if (scope !== 'constructor') add(scope, start, end - start, '', start, end)
        break
      case 'Literal':
        if (node.kind === 'number' && !node.subdenomination && /^\d+$/.test(String(node.value))) {
          whole(String(Number(node.value) + 1))
        }
        if (node.kind === 'bool') whole(node.value === 'true' ? 'false' : 'true')
        break
      case 'MemberAccess': {
        const object = node.expression as Node
        const name = String(object.name ?? object.memberName ?? '')
        const members = enumMembers[name]
        const index = members?.indexOf(String(node.memberName)) ?? -1
        if (!members || index < 0) break
        whole(`${slice(...range(object))}.${members[(index + 1) % members.length]}`)
        break
      }
    }
    for (const child of children(node)) visit(child, findScope(node) ?? scope)
  }

  visit(parse(file, text), '')
  return found
}

/** Applies the defect to the source. */
export function applyMutant(text: string, { start, length, replacement }: Mutant): string {
  const bytes = Buffer.from(text)
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(replacement), bytes.subarray(start + length)]).toString()
}

function parse(file: string, text: string): Node {
  const solc = createRequire(import.meta.url)('solc') as { compile: (input: string) => string }
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: text } },
    settings: { stopAfter: 'parsing', outputSelection: { '*': { '': ['ast'] } } },
  }
  return JSON.parse(solc.compile(JSON.stringify(input))).sources[file].ast
}

function findScope(node: Node): string | undefined {
  if (node.nodeType === 'ModifierDefinition') return String(node.name)
  if (node.nodeType !== 'FunctionDefinition') return undefined
  return String(node.name || node.kind)
}

/** Children in source order. Constant declarations are skipped, because they are not behaviour. */
function children(node: Node): Node[] {
  if (node.nodeType === 'VariableDeclaration' && node.constant) return []
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'nodeType' in value)
}

function range(node: Node): [number, number] {
  const [start = 0, length = 0] = node.src.split(':').map(Number)
  return [start, start + length]
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
