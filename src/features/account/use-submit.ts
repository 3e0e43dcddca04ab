import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { useWrite } from '#writes/use-write.ts'

/** `useWrite` for a form that gives its call with each press. */
export function useSubmit<F extends FieldValues = FieldValues>(
  wordsOf: (problem: unknown) => string,
  form?: { setError: UseFormSetError<F>; fields: readonly Path<F>[] },
) {
  const { write, refusal } = useWrite((work: () => Promise<unknown>) => work(), { message: wordsOf, form })
  return { refusal, submit: write }
}
