/** Why a form was refused, above its fields. Screen readers announce it at once. */
export const Refusal = ({ message }: { message: string }) =>
  message ? (
    <p className="refusal" role="alert">
      {message}
    </p>
  ) : null
