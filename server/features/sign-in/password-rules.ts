import { PASSWORD_CHARACTERS_MAX } from '#contract/sign-in/labels.ts';

/** An attacker who may try ten passwords in a quarter of an hour needs centuries for this many guesses; one who stole the hashes needs weeks. */
const GUESSES_MIN = 1e8;

type Estimate = (password: string, personal: readonly string[]) => number;
let estimate: Promise<Estimate> | null = null;

/**
 * Why a password is refused, in a sentence, or null where it is good: it has leaked, repeats or continues something, or is made
 * of what is known about its owner. `personal` is that, such as the address. The length is the contract's matter.
 */
export async function findPasswordProblem(
  password: string,
  personal: readonly string[],
): Promise<string | null> {
  // Read at the first use: the list of leaked passwords is a megabyte.
  estimate ??= loadEstimate();
  const guesses = (await estimate)(password, personal);
  return guesses < GUESSES_MIN
    ? 'This password is easy to guess: it is on lists of leaked passwords, or close to one. Choose another, such as four words that do not belong together.'
    : null;
}

async function loadEstimate(): Promise<Estimate> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const zxcvbn = new ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    maxLength: PASSWORD_CHARACTERS_MAX,
  });
  return (password, personal) => {
    // An address also in its parts: `ana.li@club.example` gives `ana`, `li`, `club`.
    const words = personal
      .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
      .filter((word) => word.length > 2);
    return zxcvbn.check(password, ['pitboard', ...words]).guesses;
  };
}
