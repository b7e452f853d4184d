"use strict";
// The chart of speed against error: stories of points, the filter, the frontier, arrow keys. Without it the page says the same.
for (const chart of document.querySelectorAll(".compare")) {
  const points = [...chart.querySelectorAll(".point")];
  const boxes = [...chart.querySelectorAll("input[type=checkbox]")];
  const story = chart.querySelector(".story");
  const line = chart.querySelector(".frontier");
  const number = (point, name) => Number(point.dataset[name]);
  const visible = () => points.filter((point) => !point.hasAttribute("hidden"));

  const tell = (point) => {
    const best = point.classList.contains("best") ? " On the frontier: no point shown is both faster and nearer." : "";
    story.textContent = point.getAttribute("aria-label") + "." + best;
  };
  const rove = (point) => {
    for (const other of points) other.setAttribute("tabindex", other === point ? "0" : "-1");
  };
  const mark = () => {
    let most = 0;
    const best = [];
    for (const point of visible()) { // by error, and the faster first
      point.classList.toggle("best", number(point, "speed") > most);
      if (number(point, "speed") > most) {
        most = number(point, "speed");
        best.push(point);
      }
    }
    line.setAttribute("points", best.map((p) => p.getAttribute("cx") + "," + p.getAttribute("cy")).join(" "));
  };
  const filter = () => {
    const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    for (const point of points) point.toggleAttribute("hidden", !wanted.has(point.dataset.algorithm));
    mark();
    const left = visible();
    rove(left[0]);
    story.textContent = left.length + " of " + points.length + " points shown.";
  };

  for (const point of points) {
    point.addEventListener("mouseenter", () => tell(point));
    point.addEventListener("focus", () => { rove(point); tell(point); });
    point.addEventListener("keydown", (event) => {
      const left = visible();
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const at = left.indexOf(point);
      const to = event.key === "Home" ? left[0] : event.key === "End" ? left[left.length - 1]
        : step === undefined ? undefined : left[(at + step + left.length) % left.length];
      if (to) { event.preventDefault(); to.focus(); }
    });
  }
  for (const box of boxes) box.addEventListener("change", filter);
  for (const [name, on] of [["all", true], ["none", false]]) {
    chart.querySelector("[data-" + name + "]").addEventListener("click", () => {
      for (const box of boxes) box.checked = on;
      filter();
    });
  }
  mark();
}
