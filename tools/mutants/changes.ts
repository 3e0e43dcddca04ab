import { parseSync } from 'vite'

/** A mutation: one operator of one file is replaced. */
export interface Change {
  readonly file: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly was: string
  readonly is: string
  /** Where the expression of the operator begins and ends. */
  readonly expression: readonly [number, number]
  /** Its statement begins with the expression. */
  readonly opensStatement: boolean
  /** Evaluated when the file is loaded, not by a call. */
  readonly isStatic: boolean
}

const OTHERWISE: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '++': '--',
  '--': '++',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '??=': '=',
  '||=': '&&=',
  '&&=': '||=',
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** A line about trouble is for a reader: no test compares its text. */
const LOGS = /^(?:\w+\.)*log(?:\.(?:trace|debug|info|warn|error|fatal))$/

export function changesOf(file: string, source: string): Change[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  const changes: Change[] = []
  const statements = new Set<number>()
  const chained = new Set<unknown>()
  const visit = (value: unknown, isStatic: boolean): void => {
    if (Array.isArray(value)) value.forEach((each) => visit(each, isStatic))
    else if (isNode(value) && !value.type.startsWith('TS')) {
      if (value.type === 'ExpressionStatement') statements.add(value.start)
      // `a ?? b ?? c` can't become `a && b ?? c`, which is no valid syntax.
      if (value.operator === '??')
        for (const side of [value.left, value.right])
          if (isNode(side) && side.operator === '??') chained.add(value).add(side)
      const found = chained.has(value) ? undefined : changeOf(value, source)
      if (found) {
        const { start, was, is, expression = [value.start, value.end] } = found
        const line = source.slice(0, start).split('\n').length
        const opensStatement = statements.has(expression[0])
        const end = start + was.length
        changes.push({ file, line, start, end, was, is, expression, opensStatement, isStatic })
      }
      if (value.type === 'CallExpression' && LOGS.test(sourceOf(value.callee, source))) return
      const within = isStatic && !CALLED.has(value.type)
      Object.values(value).forEach((each) => visit(each, within))
    } else if (isNode(value) && SEES_THROUGH.has(value.type)) visit(value.expression, isStatic)
  }
  visit(program, true)
  return changes
}

/** TypeScript nodes that wrap an expression without changing it. */
const SEES_THROUGH = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])

/** What is inside them runs later than the file is loaded. */
const CALLED = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'PropertyDefinition',
])

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const sourceOf = (node: unknown, source: string) =>
  isNode(node) ? source.slice(node.start, node.end).replaceAll('?.', '.') : ''

type Found = Pick<Change, 'start' | 'was' | 'is'> & Partial<Pick<Change, 'expression'>>

function changeOf(node: Node, source: string): Found | undefined {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression': {
      const operator = String(node.operator)
      const is = OTHERWISE[operator]
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser’s own shape
      const after = (node.left as Node).end
      return is ? { start: source.indexOf(operator, after), was: operator, is } : undefined
    }
    case 'UpdateExpression': {
      const operator = String(node.operator)
      return { start: node.prefix ? node.start : node.end - 2, was: operator, is: OTHERWISE[operator]! }
    }
    case 'UnaryExpression':
      return node.operator === '!' ? { start: node.start, was: '!', is: '' } : undefined
    case 'Literal':
      return typeof node.value === 'boolean'
        ? { start: node.start, was: String(node.value), is: String(!node.value) }
        : undefined
    case 'Identifier': {
      // Treat Math.min and Math.max as operators.
      const { name, start } = node
      if ((name !== 'min' && name !== 'max') || source.slice(start - 5, start) !== 'Math.') return undefined
      return { start, was: name, is: name === 'min' ? 'max' : 'min', expression: [start - 5, start - 1] }
    }
    default:
      return undefined
  }
}
