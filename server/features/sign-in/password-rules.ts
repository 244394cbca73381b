import { PASSWORD_CHARACTERS_MAX } from '#contract/sign-in/labels.ts';

/**
 * An attacker with ten attempts in a quarter of an hour needs centuries for this many guesses; one who stole the hashes needs
 * weeks.
 */
const GUESSES_MIN = 1e8;

type Estimate = (password: string, personal: readonly string[]) => number;
let estimate: Promise<Estimate> | null = null;

/**
 * Finds the reason to refuse a password, as a sentence; null for a good one. A bad one has leaked, repeats or continues
 * something, or contains facts about its owner, such as the e-mail address, which `personal` lists. The contract checks the
 * length.
 */
export async function findPasswordProblem(
  password: string,
  personal: readonly string[],
): Promise<string | null> {
  // The estimate is loaded at the first use: the list of leaked passwords is a megabyte.
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
    // Parts of an e-mail address are refused too: `ana.li@club.example` gives `ana`, `li`, `club`.
    const words = personal
      .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
      .filter((word) => word.length > 2);
    return zxcvbn.check(password, ['pitboard', ...words]).guesses;
  };
}
