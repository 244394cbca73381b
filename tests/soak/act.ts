import { changeSomething } from './changing.ts';
import { checkBoard, checkTracks, readSomething } from './reading.ts';
import type { Soak } from './soak.ts';

/** Does something that drivers or guests do; what goes wrong is noted as a failure. */
export async function act(soak: Soak): Promise<void> {
  const draw = soak.random.uniform();
  const action =
    draw < 0.6 ? checkBoard : draw < 0.65 ? checkTracks : draw < 0.8 ? readSomething : changeSomething;
  try {
    await action(soak);
  } catch (error) {
    soak.failures.push(String(error instanceof Error ? (error.cause ?? error.message) : error));
  }
}
