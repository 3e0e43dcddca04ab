import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { NetProblem } from '#net/problem.ts'
import { toast } from '#ui/toast.ts'
import { type FormFields, refusalMessage, useWrite } from '#writes/use-write.ts'
import { NotConfirmed, officeCall } from './office-call.ts'
import { queryClient } from './query-client.ts'

/** How long a toast offers to undo. The activity log offers it longer. */
const UNDO_MS = 10_000

/** Also the reason for a refusal, which the shop's own calls do not always show. */
export const problemWords = (problem: unknown): string =>
  problem instanceof NotConfirmed
    ? 'Nothing was changed: the passkey wasn’t used.'
    : refusalMessage(problem, (description) => description || 'This was refused.')

interface ActOptions<Input, Reply, Fields extends FieldValues> {
  /** Keys of queries that show something else afterwards. */
  readonly changes?: readonly (readonly unknown[])[]
  /** One line about what was done: “Made Oswin Carr an editor.” */
  readonly done?: (reply: Reply, input: Input) => string
  /** The activity entry that takes it back; the toast then has “Undo”. */
  readonly entry?: (reply: Reply) => number | null
  readonly onDone?: (reply: Reply, input: Input) => unknown
  /** Puts the server's violations at the fields of this form. */
  readonly form?: FormFields<Fields> | undefined
}

/** Sends a call that changes something: says what was done, offers to undo it, and renews what it changed. */
export function useAct<Input = void, Reply = unknown, Fields extends FieldValues = FieldValues>(
  send: (input: Input) => Promise<Reply>,
  { changes = [], done, entry, onDone, form }: ActOptions<Input, Reply, Fields> = {},
) {
  const [data, setData] = useState<Reply>()
  const act = useWrite<Input, Reply, Fields>(send, {
    message: problemWords,
    form,
    onSuccess: async (reply, input) => {
      setData(reply)
      await renew(changes)
      const words = done?.(reply, input)
      const undoes = entry?.(reply)
      if (words)
        toast(words, {
          ...(undoes ? { action: { label: 'Undo', onPress: () => void undo(undoes, changes) } } : {}),
          forMilliseconds: undoes ? UNDO_MS : 5_000,
        })
      await onDone?.(reply, input)
    },
  })
  return {
    ...act,
    /** The last reply, such as a link that is shown once. */
    data,
    reset: () => {
      setData(undefined)
      act.reset()
    },
  }
}

export const renew = (keys: readonly (readonly unknown[])[]): Promise<unknown> =>
  Promise.all(
    [...keys, ['activity'], ['badges'], ['today']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )

export async function undo(entry: number, changes: readonly (readonly unknown[])[] = []): Promise<void> {
  try {
    const { what } = await officeCall('POST /api/office/activity/{id}/undo', { params: { id: entry } })
    toast(`${what}.`)
  } catch (problem) {
    toast(problemWords(problem))
  }
  await renew(changes)
}

/** For calls outside a form, such as a download: busy while it runs, and a toast if it fails. */
export function useBusy() {
  const [busy, setBusy] = useState(false)
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } catch (problem) {
      if (!(problem instanceof NotConfirmed)) toast(problemWords(problem))
    } finally {
      setBusy(false)
    }
  }
  return { busy, run }
}

export const isRefused = (problem: unknown, status: number): boolean =>
  problem instanceof NetProblem && problem.status === status
