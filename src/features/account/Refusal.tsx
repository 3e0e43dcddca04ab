/** Why a form was not taken, above its fields; spoken as soon as it stands there. */
export const Refusal = ({ words }: { words: string }) =>
  words ? (
    <p className="refusal" role="alert">
      {words}
    </p>
  ) : null
