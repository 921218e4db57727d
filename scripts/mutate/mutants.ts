import { childrenOf, type Node, rangeOf, walk } from './ast.ts'

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

const operators: Record<string, readonly string[]> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '<<': ['>>'],
  '>>': ['<<'],
  '&': ['|'],
  '|': ['&'],
  '^': ['|'],
}

const assignments: Record<string, string> = {
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '|=': '&=',
  '&=': '|=',
  '^=': '|=',
}

interface Context {
  /** The function, modifier or constant, for the label. */
  scope: string
  parent: Node | undefined
}

/**
 * Finds every mutant of the sources: changed operators, forced conditions, deleted statements and modifiers, other
 * numbers, texts, enum members and struct fields, and arguments that are swapped or zero.
 */
export function findMutants(
  trees: ReadonlyMap<string, Node>,
  readSource: (file: string) => string,
  files: readonly string[] = [...trees.keys()],
): Mutant[] {
  const siblings = listSiblings(trees)
  return files.flatMap((file) => {
    const tree = trees.get(file)
    return tree ? findInFile(file, readSource(file), tree, siblings) : []
  })
}

function findInFile(file: string, text: string, tree: Node, siblings: ReadonlyMap<number, string>): Mutant[] {
  const bytes = Buffer.from(text)
  const slice = (start: number, end: number) => bytes.subarray(start, end).toString()
  const textOf = (node: Node) => slice(...rangeOf(node))
  const found: Mutant[] = []
  const repeats = new Map<string, number>()

  /** Adds the change of [start, end), shown within [shownStart, shownEnd). */
  const add = (
    scope: string,
    [start, end]: readonly [number, number],
    replacement: string,
    [shownStart, shownEnd]: readonly [number, number] = [start, end],
  ) => {
    const before = slice(shownStart, shownEnd)
    const after = slice(shownStart, start) + replacement + slice(end, shownEnd)
    if (before === after) return
    const change = `${scope}: ${toOneLine(before)} => ${toOneLine(after)}`
    const count = (repeats.get(change) ?? 0) + 1
    repeats.set(change, count)
    const label = count === 1 ? change : `${change} #${count}`
    found.push({ file, line: slice(0, start).split('\n').length, label, start, length: end - start, replacement })
  }

  const shortRangeOf = (node: Node | undefined) => {
    if (!node || textOf(node).length > 80) return undefined
    return rangeOf(node)
  }

  const visit = (node: Node, { scope, parent }: Context) => {
    const whole = rangeOf(node)
    const [start, end] = whole
    switch (node.nodeType) {
      case 'BinaryOperation': {
        const [, leftEnd] = rangeOf(node.leftExpression as Node)
        const [rightStart] = rangeOf(node.rightExpression as Node)
        const operator = String(node.operator)
        const at = leftEnd + slice(leftEnd, rightStart).indexOf(operator)
        // In the condition of an `if` only the boundary: the forced conditions cover the negation.
        const others = operators[operator] ?? []
        for (const other of parent?.nodeType === 'IfStatement' ? others.slice(0, 1) : others)
          add(scope, [at, at + operator.length], other, whole)
        break
      }
      case 'UnaryOperation':
        if (node.operator === '!') add(scope, whole, textOf(node.subExpression as Node))
        break
      case 'Assignment': {
        const [, leftEnd] = rangeOf(node.leftHandSide as Node)
        const operator = String(node.operator)
        const other = assignments[operator]
        const at = leftEnd + slice(leftEnd, end).indexOf(operator)
        if (other) add(scope, [at, at + 2], other, whole)
        break
      }
      case 'IfStatement': {
        const [from, to] = rangeOf(node.condition as Node)
        for (const forced of ['true', 'false']) add(scope, [from, to], forced, [from - 'if ('.length, to + 1])
        break
      }
      case 'Conditional':
        add(scope, whole, textOf(node.trueExpression as Node))
        add(scope, whole, textOf(node.falseExpression as Node))
        break
      case 'ExpressionStatement':
      case 'EmitStatement':
      case 'RevertStatement':
      case 'Return':
      case 'Continue':
      case 'Break': {
        // `if (false)` already deletes a revert that is all an `if` does.
        if (node.nodeType === 'RevertStatement' && parent?.nodeType === 'IfStatement') break
        // An empty block can replace any statement. A loop header has no semicolon, so its step stays.
        if (slice(end, end + 1) === ';') add(scope, [start, end + 1], '{ }')
        break
      }
      case 'ModifierInvocation':
        if (node.kind === 'modifierInvocation') add(scope, whole, '')
        mutateArguments(node, scope)
        break
      case 'FunctionCall':
        if (node.kind !== 'typeConversion') mutateArguments(node, scope)
        break
      case 'Literal':
        // Shown with what it is part of: a bare `0 => 1` says little.
        for (const other of changeLiteral(node, textOf(node))) add(scope, whole, other, shortRangeOf(parent) ?? whole)
        break
      case 'MemberAccess': {
        const other = siblings.get(Number(node.referencedDeclaration))
        const memberName = String(node.memberName)
        if (other) add(scope, [end - memberName.length, end], other, whole)
        break
      }
    }
    // Deeper in a scope only a modifier or a function opens another; a constant is one of its own.
    for (const child of childrenOf(node)) visit(child, { scope: findScope(node) ?? scope, parent: node })
  }

  const mutateArguments = (call: Node, scope: string) => {
    const given = (call.arguments ?? []) as Node[]
    const [from, to] = rangeOf(call)
    given.forEach((argument, i) => {
      const zero = zeroFor(argument)
      if (zero !== undefined && textOf(argument) !== zero) add(scope, rangeOf(argument), zero, [from, to])
      const next = given[i + 1]
      if (!next || typeOf(argument) !== typeOf(next)) return
      const [[start, end], [nextStart, nextEnd]] = [rangeOf(argument), rangeOf(next)]
      const swapped = textOf(next) + slice(end, nextStart) + textOf(argument)
      add(scope, [start, nextEnd], swapped, [from, to])
    })
  }

  visit(tree, { scope: '', parent: undefined })
  return found.sort((a, b) => a.start - b.start)
}

/** Applies the defect to the source. */
export function applyMutant(text: string, { start, length, replacement }: Mutant): string {
  const bytes = Buffer.from(text)
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(replacement), bytes.subarray(start + length)]).toString()
}

/** Maps each enum value and each struct field to the next one it could be confused with: in a struct, of the same type. */
function listSiblings(trees: ReadonlyMap<string, Node>): Map<number, string> {
  const siblings = new Map<number, string>()
  for (const tree of trees.values()) {
    for (const node of walk(tree)) {
      if (node.nodeType !== 'EnumDefinition' && node.nodeType !== 'StructDefinition') continue
      const members = node.members as Node[]
      for (const member of members) {
        const alike = members.filter((other) => typeOf(other) === typeOf(member))
        const next = alike[(alike.indexOf(member) + 1) % alike.length]
        if (next && next !== member) siblings.set(member.id, String(next.name))
      }
    }
  }
  return siblings
}

/** Other values of a literal: one more and one less, the other truth, no text. */
function changeLiteral(node: Node, text: string): string[] {
  if (node.kind === 'bool') return [node.value === 'true' ? 'false' : 'true']
  if (node.kind === 'string') return text === '""' ? [] : ['""']
  if (node.kind !== 'number') return []
  const small = /^\d+$/.test(text) ? Number(text) : undefined
  if (small === 0) return ['1']
  return small === undefined ? [`(${text} + 1)`, `(${text} - 1)`] : [String(small + 1), String(small - 1)]
}

/** The zero of an argument's type, which also fits where the argument stood. Literals have changes of their own. */
function zeroFor(argument: Node): string | undefined {
  if (argument.nodeType === 'Literal') return undefined
  const type = typeOf(argument)
  if (/^u?int\d*$/.test(type)) return '0'
  if (type === 'address') return 'address(0)'
  if (/^bytes\d+$/.test(type)) return `${type}(0)`
  if (type === 'bool') return 'false'
  if (/^(string|bytes) /.test(type)) return '""'
  return undefined
}

const typeOf = (node: Node) => node.typeDescriptions?.typeString ?? ''

function findScope(node: Node): string | undefined {
  if (node.nodeType === 'ModifierDefinition') return String(node.name)
  if (node.nodeType === 'VariableDeclaration' && node.constant) return String(node.name)
  if (node.nodeType !== 'FunctionDefinition') return undefined
  return String(node.name || node.kind)
}

const toOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
