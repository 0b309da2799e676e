package pricing;

import javax.script.ScriptEngine;
import javax.script.ScriptEngineManager;
import javax.script.ScriptException;
import javax.servlet.http.HttpServletRequest;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionParser;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;

class Rules {
    private final ScriptEngine engine = new ScriptEngineManager().getEngineByName("js");
    private final ExpressionParser parser = new SpelExpressionParser();

    Object run(HttpServletRequest request) throws ScriptException {
        String formula = request.getParameter("formula");
        return engine.eval(formula);
    }

    Object fixed(HttpServletRequest request) throws ScriptException {
        engine.put("amount", Double.parseDouble(request.getParameter("amount")));
        return engine.eval("amount * 1.19");
    }

    @PostMapping("/rule")
    public Object check(@RequestBody String rule) {
        Expression expression = parser.parseExpression(rule);
        return expression.getValue();
    }

    public Object total(Object order) {
        return parser.parseExpression("lines.![price * count]").getValue(order);
    }

    Object plugin(HttpServletRequest request) throws Exception {
        String name = request.getParameter("plugin");
        return Class.forName(name).getDeclaredConstructor().newInstance();
    }

    Object pluginOf(HttpServletRequest request) throws Exception {
        String name;
        switch (request.getParameter("plugin")) {
            case "tax":
                name = "pricing.TaxPlugin";
                break;
            default:
                name = "pricing.NoPlugin";
        }
        return Class.forName(name).getDeclaredConstructor().newInstance();
    }
}
