import { expect, test } from 'vitest'
import { changeOver, type Slot, type Supervisor } from './change-over.ts'

function aMachine({ runs, ready = true }: { runs: Slot[]; ready?: boolean }) {
  const running = new Set(runs)
  const did: string[] = []
  const supervisor: Supervisor = {
    isRunning: async (slot) => running.has(slot),
    start: async (slot) => {
      running.add(slot)
      did.push(`start ${slot}`)
    },
    end: async (slot) => {
      running.delete(slot)
      did.push(`end ${slot}`)
    },
    isReady: async () => ready,
    lead: async (slot) => void did.push(`lead ${slot}`),
    keep: async (slot) => void did.push(`keep ${slot}`),
  }
  const prepare = async (slot: Slot) => {
    did.push(`prepare ${slot}`)
    return true
  }
  return {
    did,
    running,
    task: { supervisor, prepare, sharesDatabase: true, noticeMs: 0, say: () => undefined, patienceMs: 1 },
  }
}

test('the next release starts while the current one runs; that one ends when visitors are routed to the next', async () => {
  const machine = aMachine({ runs: ['0'] })
  await changeOver(machine.task)
  expect(machine.did).toEqual(['prepare 1', 'start 1', 'lead 1', 'keep 1', 'end 0'])
  await changeOver(machine.task)
  expect([...machine.running]).toEqual(['0'])
})

test('both servers stay ready until proxies have noticed the change', async () => {
  const { task } = aMachine({ runs: ['0'] })
  let [readyAt, endedAt] = [0, 0]
  const supervisor: Supervisor = {
    ...task.supervisor,
    keep: async () => void (readyAt = performance.now()),
    end: async () => void (endedAt = performance.now()),
  }
  await changeOver({ ...task, supervisor, noticeMs: 50 })
  expect(endedAt - readyAt).toBeGreaterThan(45)
})

test('a release that does not become ready is stopped, and the previous one continues to serve', async () => {
  const machine = aMachine({ runs: ['1'], ready: false })
  await expect(changeOver(machine.task)).rejects.toThrow('Slot 1 continues to serve')
  expect([...machine.running]).toEqual(['1'])
  const alone = aMachine({ runs: ['1'], ready: false })
  await expect(changeOver({ ...alone.task, sharesDatabase: false })).rejects.toThrow('did not become ready')
  expect(alone.did).toEqual(['prepare 0', 'end 1', 'start 0', 'end 0', 'start 1'])
})

test('the upgrade fails at once if the new server exits', async () => {
  const machine = aMachine({ runs: ['1'], ready: false })
  const supervisor: Supervisor = {
    ...machine.task.supervisor,
    start: async (slot) => void machine.did.push(`start ${slot}`),
  }
  await expect(changeOver({ ...machine.task, supervisor, patienceMs: 180_000 })).rejects.toThrow(
    'Slot 0 exited during its start. See its log for the reason. Slot 1 continues to serve.',
  )
})

test('if the new server cannot be started, the previous one is started again', async () => {
  const machine = aMachine({ runs: ['1'] })
  const supervisor: Supervisor = {
    ...machine.task.supervisor,
    start: async (slot) => {
      if (slot === '0') throw new Error('systemctl start murmur@0 ended with 1')
      await machine.task.supervisor.start(slot)
    },
  }
  const failed = changeOver({ ...machine.task, supervisor, sharesDatabase: false })
  await expect(failed).rejects.toThrow('Slot 1 continues to serve.')
  expect([...machine.running]).toEqual(['1'])
})

test('two servers never use one embedded database at the same time', async () => {
  const machine = aMachine({ runs: ['0'] })
  await changeOver({ ...machine.task, sharesDatabase: false })
  expect(machine.did).toEqual(['prepare 1', 'end 0', 'start 1', 'lead 1', 'keep 1'])
})

test('an empty machine uses the first slot; two running slots are refused as ambiguous', async () => {
  const empty = aMachine({ runs: [] })
  await changeOver(empty.task)
  expect([...empty.running]).toEqual(['0'])
  await expect(changeOver({ ...empty.task, prepare: async () => false })).rejects.toThrow(
    'no release to roll back to',
  )
  await expect(changeOver(aMachine({ runs: ['0', '1'] }).task)).rejects.toThrow(
    'Servers are running in both slots',
  )
})

test('an incompatible database is converted after the old server has ended, and restored with it on failure', async () => {
  const machine = aMachine({ runs: ['1'], ready: false })
  const takeDatabaseAlong = async (slot: Slot) => {
    machine.did.push(`take along ${slot}`)
    return async () => void machine.did.push('bring back')
  }
  const task = { ...machine.task, sharesDatabase: false, takeDatabaseAlong }
  await expect(changeOver(task)).rejects.toThrow('Slot 1 continues to serve')
  expect(machine.did).toEqual([
    'prepare 0',
    'end 1',
    'take along 1',
    'start 0',
    'end 0',
    'bring back',
    'start 1',
  ])

  const failing = aMachine({ runs: ['1'] })
  const refuse = () => Promise.reject(new Error('no room'))
  await expect(
    changeOver({ ...failing.task, sharesDatabase: false, takeDatabaseAlong: refuse }),
  ).rejects.toThrow('no room')
  expect([...failing.running]).toEqual(['1'])
})
