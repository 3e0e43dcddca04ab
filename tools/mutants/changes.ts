import { parseSync } from 'vite'

/** A mutation: one operator of one file is replaced. */
export interface Change {
  readonly file: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly was: string
  readonly is: string
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

export function changesOf(file: string, source: string): Change[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  const changes: Change[] = []
  const add = (start: number, was: string, is: string) =>
    changes.push({
      file,
      line: source.slice(0, start).split('\n').length,
      start,
      end: start + was.length,
      was,
      is,
    })
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    else if (isNode(value) && !value.type.startsWith('TS')) {
      look(value, source, add)
      Object.values(value).forEach(visit)
    } else if (isNode(value) && SEES_THROUGH.has(value.type)) visit(value.expression)
  }
  visit(program)
  return changes
}

/** TypeScript nodes that wrap an expression without changing it. */
const SEES_THROUGH = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

type Add = (start: number, was: string, is: string) => void

function look(node: Node, source: string, add: Add): void {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression': {
      const operator = String(node.operator)
      const is = OTHERWISE[operator]
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser’s own shape
      const after = (node.left as Node).end
      if (is) add(source.indexOf(operator, after), operator, is)
      return
    }
    case 'UpdateExpression': {
      const operator = String(node.operator)
      add(node.prefix ? node.start : node.end - 2, operator, OTHERWISE[operator]!)
      return
    }
    case 'UnaryExpression':
      if (node.operator === '!') add(node.start, '!', '')
      return
    case 'Literal':
      if (typeof node.value === 'boolean') add(node.start, String(node.value), String(!node.value))
      return
    case 'Identifier':
      // Treat Math.min and Math.max as operators.
      if (node.name === 'min' || node.name === 'max') {
        if (source.slice(node.start - 5, node.start) === 'Math.')
          add(node.start, node.name, node.name === 'min' ? 'max' : 'min')
      }
      return
    default:
  }
}
