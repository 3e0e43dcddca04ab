import { useState } from 'react'

/** Runs a form's call; when it fails, `refusal` holds the words and everything that was typed stays. */
export function useSubmit(wordsOf: (problem: unknown) => string) {
  const [refusal, setRefusal] = useState('')
  /** True when it went well. */
  const submit = async (work: () => Promise<unknown>): Promise<boolean> => {
    setRefusal('')
    try {
      await work()
      return true
    } catch (problem) {
      setRefusal(wordsOf(problem))
      return false
    }
  }
  return { refusal, submit }
}
