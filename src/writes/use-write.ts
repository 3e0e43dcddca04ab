import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { MESSAGES } from '#contract/messages.ts'
import { NetProblem } from '#net/problem.ts'

/** A refusal by the app itself, with a message for the user. */
export class Refused extends Error {}

export interface FormFields<Fields extends FieldValues> {
  readonly setError: UseFormSetError<Fields>
  /** The form's fields. A violation of any other field is shown above the form. */
  readonly fields: readonly Path<Fields>[]
}

interface WriteOptions<Input, Reply, Fields extends FieldValues> {
  /** Awaited while `busy`. If it rejects, that is shown like a failure of the call. */
  onSuccess?: ((reply: Reply, input: Input) => unknown) | undefined
  /** Awaited while `busy`, for example to reload data that the call showed to be outdated. */
  onFailure?: ((problem: unknown, input: Input) => unknown) | undefined
  message?: ((problem: unknown) => string) | undefined
  form?: FormFields<Fields> | undefined
  /** Lets other components observe the call with `useIsMutating`. */
  key?: readonly string[] | undefined
}

/**
 * Sends a call that changes something. After a failure the input stays: the server's violations appear at
 * their fields, the first of which gets the focus, and `refusal` has the message for any other failure.
 */
export function useWrite<Input = void, Reply = unknown, Fields extends FieldValues = FieldValues>(
  call: (input: Input) => Promise<Reply>,
  { onSuccess, onFailure, message = refusalMessage, form, key }: WriteOptions<Input, Reply, Fields> = {},
) {
  // React Query reports `isPending` a task later, and two presses can come in one task.
  const isRunning = useRef(false)
  const [isStarted, setStarted] = useState(false)
  const { mutateAsync, isPending, error, variables, reset } = useMutation<Reply, unknown, Input>({
    ...(key && { mutationKey: key }),
    /**
     * Pass only the input: React Query also passes a context, which could be mistaken for an optional
     * parameter.
     */
    mutationFn: (input) => call(input),
    onSuccess: (reply, input) => onSuccess?.(reply, input),
    onError: async (problem, input) => {
      if (form) placeViolations(problem, form)
      await onFailure?.(problem, input)
    },
    // The browser's own report that it is offline is often wrong (trap 22).
    networkMode: 'always',
    // Don't cache the call: the input may contain a password.
    gcTime: 0,
  })

  const messageOf = (problem: unknown) => (problem instanceof Refused ? problem.message : message(problem))

  const write = async (input: Input): Promise<boolean> => {
    if (isRunning.current) return false
    isRunning.current = true
    setStarted(true)
    try {
      await mutateAsync(input)
      return true
    } catch {
      return false
    } finally {
      isRunning.current = false
      setStarted(false)
    }
  }
  return {
    write,
    busy: isStarted || isPending,
    refusal: error && !(form && fieldsOf(error, form)) ? messageOf(error) : '',
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- offered only after a first `write`
    retry: () => write(variables as Input),
    reset,
  }
}

/**
 * The message of a failed call. `refused` is the text for a 4xx; a 429 has its own text with the waiting
 * time.
 */
export function refusalMessage(
  problem: unknown,
  refused: string | ((description: string) => string) = MESSAGES.somethingWentWrong,
): string {
  if (!(problem instanceof NetProblem)) return MESSAGES.somethingWentWrong
  if (problem.kind === 'offline') return 'This needs a connection. Check yours and try again.'
  if (problem.status === 429) return problem.description
  if (problem.kind === 'refused') return typeof refused === 'string' ? refused : refused(problem.description)
  return MESSAGES.somethingWentWrong
}

export const serverMessage = (problem: unknown): string =>
  (problem instanceof NetProblem && problem.description) || MESSAGES.somethingWentWrong

export const somethingWentWrong = (): string => MESSAGES.somethingWentWrong

/** Shows each violation at its field; false if the form has no field for one of them. */
export function placeViolations<Fields extends FieldValues>(
  problem: unknown,
  form: FormFields<Fields>,
): boolean {
  const placed = fieldsOf(problem, form)
  for (const [index, { field, message }] of placed?.entries() ?? [])
    form.setError(field, { type: 'shop', message }, { shouldFocus: index === 0 })
  return placed !== undefined
}

/** The field of each violation; undefined if there are none, or one has no field. */
function fieldsOf<Fields extends FieldValues>(problem: unknown, { fields }: FormFields<Fields>) {
  if (!(problem instanceof NetProblem) || problem.violations.length === 0) return undefined
  const placed = problem.violations.flatMap(({ propertyPath, message }) => {
    const field = fields.find((name) => name === propertyPath)
    return field ? [{ field, message }] : []
  })
  return placed.length === problem.violations.length ? placed : undefined
}
