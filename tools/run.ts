import { spawn, type SpawnOptions } from 'node:child_process'

/** The command has printed the reason. */
export class CommandFailed extends Error {}

/** Runs a command in this terminal. Rejects with its exit code if it fails. */
export function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    spawn(command, args, { stdio: 'inherit', ...options })
      .on('error', reject)
      .on('exit', (code, signal) =>
        code === 0
          ? resolve()
          : reject(new CommandFailed(`${command} ${args.join(' ')} ended with ${signal ?? code}`)),
      )
  })
}
