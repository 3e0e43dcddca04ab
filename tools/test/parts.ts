import { type ChildProcess, spawn } from 'node:child_process'

/** A part of `npm test`; the list is in the order in which they ended. */
interface Part {
  readonly name: string
  readonly passed: boolean
  readonly seconds: number
}

const parts: Part[] = []

export const failedParts = (): string[] => parts.filter(({ passed }) => !passed).map(({ name }) => name)

export const timesOfParts = (): string =>
  parts.map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`).join(', ')

export async function runPart(name: string, command: string, args: readonly string[]): Promise<void> {
  console.log(`\n── ${name}`)
  const started = Date.now()
  report(name, started, await ended(spawn(command, args, { stdio: 'inherit' })))
}

/** Runs while another part runs: prints the output at once when it is done. */
export async function runPartBeside(name: string, command: string, args: readonly string[]): Promise<void> {
  const started = Date.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => output.push(String(text)))
  const passed = await ended(child)
  console.log(`\n── ${name}\n${output.join('').trimEnd()}`)
  report(name, started, passed)
}

function ended(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(error.message)
      resolve(false)
    })
    child.on('close', (code) => resolve(code === 0))
  })
}

function report(name: string, started: number, passed: boolean): void {
  const seconds = (Date.now() - started) / 1000
  parts.push({ name, passed, seconds })
  console.log(`── ${name}: ${passed ? 'done' : 'FAILED'} in ${seconds.toFixed(0)} s`)
}
