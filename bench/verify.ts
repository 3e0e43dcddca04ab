import { hash, verify } from '@node-rs/argon2'

/** Verifies a password repeatedly with the parameters of the shop's login, and does nothing else. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const kept = await hash('murmur-test', PARAMETERS)

process.on('message', (times: number) => {
  void check(times).then((milliseconds) => process.send?.(milliseconds))
})
process.on('disconnect', () => process.exit(0))

async function check(times: number): Promise<number[]> {
  const milliseconds: number[] = []
  for (let n = 0; n < times; n++) {
    const begun = performance.now()
    await verify(kept, 'murmur-test')
    milliseconds.push(performance.now() - begun)
  }
  return milliseconds
}
