import { useState } from 'react'
import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { NetProblem } from '#net/problem.ts'

interface FormFields<F extends FieldValues> {
  readonly setError: UseFormSetError<F>
  /** The fields that the form shows; a violation of anything else is said above it. */
  readonly fields: readonly Path<F>[]
}

/**
 * Runs a form's call; when it fails, everything that was typed stays. The shop's word on a field stands at that
 * field, which takes the focus; `refusal` holds the words for the rest.
 */
export function useSubmit<F extends FieldValues = FieldValues>(
  wordsOf: (problem: unknown) => string,
  form?: FormFields<F>,
) {
  const [refusal, setRefusal] = useState('')
  /** True when it went well. */
  const submit = async (work: () => Promise<unknown>): Promise<boolean> => {
    setRefusal('')
    try {
      await work()
      return true
    } catch (problem) {
      if (!form || !placeViolations(problem, form)) setRefusal(wordsOf(problem))
      return false
    }
  }
  return { refusal, submit }
}

/** Puts each violation at its field; false where one of them has none here. */
export function placeViolations<F extends FieldValues>(
  problem: unknown,
  { setError, fields }: FormFields<F>,
): boolean {
  if (!(problem instanceof NetProblem) || problem.violations.length === 0) return false
  const placed = problem.violations.flatMap(({ propertyPath, message }) => {
    const field = fields.find((name) => name === propertyPath)
    return field ? [{ field, message }] : []
  })
  if (placed.length < problem.violations.length) return false
  for (const [index, { field, message }] of placed.entries())
    setError(field, { type: 'shop', message }, { shouldFocus: index === 0 })
  return true
}
